package io.counterkit.tck.internal.history;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.tck.internal.history.History.Meaning;
import io.counterkit.tck.internal.model.ListedNames;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds, reads, lists, resets, deletes and seals a counter, and resolves tokens. */
public final class CounterWorkload implements Workload {
    private static final long LARGEST_DELTA = 1_000;
    private static final int TOKENS = 4;
    private static final int ONE_ELSEWHERE_IN = 4;

    private final String name;
    private final boolean isSealed;
    private final boolean isListedAtOnce;
    private final History<CounterState> history = new History<>(CounterState.ABSENT);

    /** Adds that several processes send under the same tokens. */
    private final List<Add> shared;

    /** Adds whose outcome is unknown. */
    private final Queue<Add> unknownAdds = new ConcurrentLinkedQueue<>();

    /** Other changes whose outcome is unknown. */
    private final Queue<IdempotencyToken> unknownChanges = new ConcurrentLinkedQueue<>();

    private record Add(long delta, @Nullable IdempotencyToken token) {}

    /**
     * Creates the workload of the counter of this name.
     *
     * @param isListedAtOnce whether the store's lists show each change at once
     */
    public CounterWorkload(String name, Random random, boolean isSealed, boolean isListedAtOnce) {
        this.name = name;
        this.isSealed = isSealed;
        this.isListedAtOnce = isListedAtOnce;
        this.shared = Stream.generate(() -> new Add(delta(random), IdempotencyToken.random()))
                .limit(TOKENS)
                .toList();
    }

    private static long delta(Random random) {
        return random.nextLong(-LARGEST_DELTA, LARGEST_DELTA + 1);
    }

    @Override
    public void step(int process, Counters counters, Random random) {
        Counter counter = counters.counter(name);
        switch (random.nextInt(isSealed ? 24 : 22)) {
            case 0, 1, 2, 3, 4 -> add(process, counter, new Add(delta(random), null));
            case 5, 6, 7, 8 -> add(process, counter, shared.get(random.nextInt(TOKENS)));
            case 9, 10, 11 -> settle(process, counters, random);
            case 12 ->
                resolve(process, counters, shared.get(random.nextInt(TOKENS)).token());
            case 13, 14 -> clear(process, "reset", counter::reset, CounterState::reset);
            case 15, 16 -> clear(process, "delete", counter::delete, CounterState::deleted);
            case 17 -> readAll(process, counters);
            case 18 -> list(process, counters);
            case 22, 23 ->
                seal(process, counter, random.nextInt(ONE_ELSEWHERE_IN) == 0 ? "somewhere else" : "elsewhere");
            default -> read(process, counters);
        }
    }

    private void add(int process, Counter counter, Add add) {
        IdempotencyToken unknown = history.change(
                process,
                new Meaning<CounterState, Boolean>(
                        "add " + add.delta(),
                        add.token(),
                        (state, done) -> state.isSealed() ? null : state.added(add.delta(), add.token()),
                        (state, token) -> state.added(add.delta(), token),
                        (state, done) -> true,
                        state -> false),
                () -> {
                    if (add.token() == null) {
                        counter.add(add.delta());
                    } else {
                        counter.add(add.delta(), add.token());
                    }
                    return true;
                });
        if (unknown != null) {
            unknownAdds.add(new Add(add.delta(), unknown));
        }
    }

    /** Resets or deletes. */
    private void clear(
            int process,
            String what,
            Runnable clear,
            BiFunction<CounterState, @Nullable IdempotencyToken, CounterState> effect) {
        IdempotencyToken unknown = history.change(
                process,
                new Meaning<CounterState, Boolean>(
                        what,
                        null,
                        (state, done) -> state.isSealed() ? null : effect.apply(state, null),
                        effect,
                        (state, done) -> true,
                        state -> false),
                () -> {
                    clear.run();
                    return true;
                });
        if (unknown != null) {
            unknownChanges.add(unknown);
        }
    }

    private void seal(int process, Counter counter, String address) {
        IdempotencyToken unknown = history.change(
                process,
                new Meaning<CounterState, Seal>(
                        "seal with the address '" + address + "'",
                        null,
                        (state, seal) -> {
                            CounterState after = state.sealed(address, null);
                            return address.equals(after.forward())
                                            && address.equals(seal.forward())
                                            && seal.last() == after.total()
                                    ? after
                                    : null;
                        },
                        (state, token) -> state.sealed(address, token),
                        (state, seal) -> true,
                        state -> false),
                () -> counter.seal(address));
        if (unknown != null) {
            unknownChanges.add(unknown);
        }
    }

    /** Repeats an add whose outcome is unknown, or resolves it or another change. */
    private void settle(int process, Counters counters, Random random) {
        IdempotencyToken change = unknownChanges.poll();
        if (change != null) {
            resolve(process, counters, change);
            return;
        }
        Add add = unknownAdds.poll();
        if (add == null) {
            add(process, counters.counter(name), new Add(delta(random), null));
        } else if (random.nextBoolean()) {
            add(process, counters.counter(name), add);
        } else {
            resolve(process, counters, add.token());
        }
    }

    private void resolve(int process, Counters counters, @Nullable IdempotencyToken token) {
        if (token != null && !history.resolve(process, token, () -> counters.resolve(token), this::isOfThisCounter)) {
            unknownChanges.add(token);
        }
    }

    private boolean isOfThisCounter(CounterState state, Resolution resolution) {
        return resolution instanceof Resolution.Added added
                ? added.counter().equals(name)
                : resolution instanceof Resolution.Done done && done.name().equals(name);
    }

    private void readAll(int process, Counters counters) {
        history.read(
                process,
                "read all",
                () -> counters.readAll(List.of(name), Duration.ZERO).get(name).value(),
                (state, total) -> state.total() == total);
    }

    private void read(int process, Counters counters) {
        history.read(process, "read", counters.counter(name)::get, (state, total) -> state.total() == total);
    }

    /** Looks for the counter in the store's list, or reads it if that list may lag. */
    private void list(int process, Counters counters) {
        if (isListedAtOnce) {
            history.read(
                    process,
                    "is listed",
                    () -> ListedNames.ofCounters(counters, name).contains(name),
                    (state, isListed) -> state.isPresent() == isListed);
        } else {
            read(process, counters);
        }
    }

    @Override
    public void finish(int process, Counters counters) {
        read(process, counters);
        list(process, counters);
    }

    @Override
    public @Nullable String violation() {
        Violation<CounterState> violation = Violation.find(history.initial(), history.operations());
        return violation == null ? null : "counter '" + name + "'" + violation;
    }
}
