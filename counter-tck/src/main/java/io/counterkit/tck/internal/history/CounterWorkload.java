package io.counterkit.tck.internal.history;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamedReading;
import io.counterkit.NotAppliedException;
import io.counterkit.Watch;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import io.counterkit.tck.internal.history.History.Pending;
import io.counterkit.tck.internal.model.ListedNames;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Operates on a counter: makes one add or several concurrent ones, reads (cached totals too), watches, lists, resets,
 * deletes, seals, and resolves tokens.
 */
public final class CounterWorkload implements Workload {
    private static final long LARGEST_DELTA = 1_000;

    /** What the deltas of some histories are multiplied by, so that they need more than 32 bits, or totals more than 53. */
    private static final List<Long> SCALES = List.of(1L, Limits.MAX_DELTA / (LARGEST_DELTA + 1));

    private static final int TOKENS = 4;
    private static final int MOST_AT_ONCE = 4;
    private static final int ONE_ELSEWHERE_IN = 4;
    private static final int ONE_MISTAKEN_IN = 8;
    private static final int ONE_WATCHED_IN = 3;
    private static final Duration CADENCE = Duration.ofMillis(1);

    /** Staleness bounds that a cached total never, hardly ever, perhaps and certainly meets. */
    private static final List<Duration> BOUNDS =
            List.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofMillis(5), Duration.ofMinutes(10));

    private final String name;
    private final boolean isSealed;
    private final boolean isListedAtOnce;
    private final boolean isWatched;
    private final long scale;
    private final CounterCalls calls;

    /** The watch of each process. */
    private final Map<Integer, Watch> watches = new ConcurrentHashMap<>();

    /** Adds that several processes send under the same tokens. */
    private final List<Add> shared;

    private final UnknownOutcomes<Add> unknown;

    private record Add(long delta, @Nullable IdempotencyToken token) {}

    /**
     * Creates the workload of the counter of this name.
     *
     * @param isListedAtOnce whether the store's lists show each change immediately
     */
    public CounterWorkload(String name, Random random, boolean isSealed, boolean isListedAtOnce) {
        this.name = name;
        this.isSealed = isSealed;
        this.isListedAtOnce = isListedAtOnce;
        this.scale = SCALES.get(random.nextInt(SCALES.size()));
        this.isWatched = random.nextInt(ONE_WATCHED_IN) == 0;
        this.calls = new CounterCalls(name, System::nanoTime);
        this.unknown = new UnknownOutcomes<>(calls, Add::token);
        this.shared = Stream.generate(() -> new Add(delta(random), IdempotencyToken.random()))
                .limit(TOKENS)
                .toList();
    }

    private long delta(Random random) {
        return random.nextLong(-LARGEST_DELTA, LARGEST_DELTA + 1) * scale;
    }

    @Override
    public void step(int process, Counters counters, Random random) {
        Counter counter = counters.counter(name);
        if (isWatched) {
            watches.computeIfAbsent(process, unwatched -> watch(process, counter));
        }
        switch (random.nextInt(isSealed ? 27 : 25)) {
            case 0, 1, 2, 3, 4 -> add(process, counter, new Add(delta(random), null));
            case 5, 6, 7, 8 -> add(process, counter, repeated(random));
            case 9, 10, 11 ->
                unknown.settle(
                        process,
                        counters,
                        random,
                        () -> new Add(delta(random), null),
                        add -> add(process, counter, add));
            case 12 ->
                unknown.resolve(
                        process, counters, shared.get(random.nextInt(TOKENS)).token());
            case 13, 14 -> end(calls.reset(process), counter::reset);
            case 15, 16 -> end(calls.delete(process), counter::delete);
            case 17 -> readAll(process, counters);
            case 18 -> list(process, counters);
            case 22 -> addAtOnce(process, counter, random);
            case 23, 24 -> readRecent(process, counters, random);
            case 25, 26 ->
                seal(process, counter, random.nextInt(ONE_ELSEWHERE_IN) == 0 ? "somewhere else" : "elsewhere");
            default -> calls.read(process, "read").end(counter::get);
        }
    }

    /** Opens a watch. Each reading of it is a total that the counter had at some moment before, however long ago. */
    private Watch watch(int process, Counter counter) {
        return counter.watch(CADENCE, reading -> calls.watched(process).end(() -> reading), failure -> {});
    }

    /** Returns an add under a shared token, and rarely another add than the one that the token stands for. */
    private Add repeated(Random random) {
        Add add = shared.get(random.nextInt(TOKENS));
        return random.nextInt(ONE_MISTAKEN_IN) == 0 ? new Add(add.delta() + 1, add.token()) : add;
    }

    private void add(int process, Counter counter, Add add) {
        IdempotencyToken token = add.token();
        noteAdd(add, calls.add(process, add.delta(), token).end(() -> {
            if (token == null) {
                counter.add(add.delta());
            } else {
                counter.add(add.delta(), token);
            }
            return true;
        }));
    }

    /** Adds several times without waiting, so that adds share a commit if the backend receives batches. */
    private void addAtOnce(int process, Counter counter, Random random) {
        List<CompletableFuture<?>> sent = new ArrayList<>();
        for (int i = random.nextInt(2, MOST_AT_ONCE + 1); i > 0; i--) {
            Add add = random.nextBoolean() ? new Add(delta(random), null) : repeated(random);
            IdempotencyToken token = add.token();
            Pending<Boolean> pending = calls.add(process, add.delta(), token);
            CompletableFuture<Void> reply = token == null
                    ? counter.async().add(add.delta())
                    : counter.async().add(add.delta(), token);
            sent.add(reply.handle((done, failure) -> {
                noteAdd(add, pending.end(() -> {
                    Futures.join(reply);
                    return true;
                }));
                return true;
            }));
        }
        sent.forEach(Futures::join);
    }

    private void noteAdd(Add add, @Nullable IdempotencyToken token) {
        unknown.note(token, covering -> new Add(add.delta(), covering));
    }

    /** Carries out a reset or a deletion. */
    private void end(Pending<Boolean> pending, Runnable change) {
        unknown.note(pending.end(() -> {
            change.run();
            return true;
        }));
    }

    private void seal(int process, Counter counter, String forward) {
        unknown.note(calls.seal(process, forward).end(() -> counter.seal(forward)));
    }

    private void readAll(int process, Counters counters) {
        calls.read(process, "read all")
                .end(() ->
                        counters.readAll(List.of(name), Duration.ZERO).get(name).value());
    }

    /** Reads the counter, alone, among several or as one of the largest, where the total may be old. */
    private void readRecent(int process, Counters counters, Random random) {
        Duration bound = BOUNDS.get(random.nextInt(BOUNDS.size()));
        switch (random.nextInt(isListedAtOnce && counters.capabilities().contains(Capability.TOP) ? 5 : 4)) {
            case 0, 1, 2 ->
                calls.read(process, "read with a staleness bound of " + Durations.inWords(bound), bound)
                        .end(() -> counters.counter(name).read(bound));
            case 3 ->
                calls.read(process, "read all with a staleness bound of " + Durations.inWords(bound), bound)
                        .end(() -> counters.readAll(List.of(name), bound).get(name));
            default ->
                calls.read(process, "total among the largest", ChronoUnit.FOREVER.getDuration())
                        .end(() -> counters.top(name, 100).stream()
                                .filter(named -> named.name().equals(name))
                                .map(NamedReading::reading)
                                .findFirst()
                                .orElseThrow(() -> new NotAppliedException("not among the largest")));
        }
    }

    /** Looks for the counter in the store's list, or reads it if that list may lag. */
    private void list(int process, Counters counters) {
        if (isListedAtOnce) {
            calls.isListed(process)
                    .end(() -> ListedNames.ofCounters(counters, name).contains(name));
        } else {
            calls.read(process, "read").end(counters.counter(name)::get);
        }
    }

    @Override
    public void finish(int process, Counters counters) {
        Watch watch = watches.get(process);
        if (watch != null) {
            watch.close();
        }
        read(process, counters);
        if (isListedAtOnce) {
            calls.isListed(process)
                    .end(() -> Patience.answerOf(
                            () -> ListedNames.ofCounters(counters, name).contains(name)));
        }
        unknown.settleAll(process, counters, shared.get(process % TOKENS));
        read(process, counters);
    }

    private void read(int process, Counters counters) {
        calls.read(process, "read").end(() -> Patience.answerOf(counters.counter(name)::get));
    }

    @Override
    public Checked check() {
        return Violation.check("counter '" + name + "'", calls.history());
    }
}
