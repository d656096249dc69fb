package io.counterkit;

import io.counterkit.combining.Outstanding;
import io.counterkit.combining.Waiter;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Origin;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@link Counters} over any backend: checks arguments and sends each operation on its way. */
final class StoreCounters implements Counters {
    private final CounterBackend backend;
    private final CountersOptions options;
    private final Set<Capability> capabilities;
    private final Timers timers = Timers.named("counterkit");
    private final Outstanding outstanding;
    private final StoreCalls calls;
    private final Tokens tokens;
    private final Adds adds;
    private final Appends appends;
    private final Watches watches;

    StoreCounters(CounterBackend backend, CountersOptions options) {
        this.backend = backend;
        this.options = options;
        this.capabilities = Set.copyOf(backend.capabilities());
        Limits.checkDeadline(options.deadline(), backend.retention());
        this.outstanding = new Outstanding(options.queueLimit(), options.queueBytes(), options.deadline(), timers);
        this.calls = new StoreCalls(options, GuardedListener.of(options.listener()), outstanding);
        this.tokens = new Tokens(backend, calls);
        this.adds = new Adds(backend.counters(), calls, tokens);
        this.appends = new Appends(backend.sequences(), calls, tokens);
        this.watches = new Watches(this, backend.counters(), calls::call, timers, options.watchThread());
    }

    @Override
    public Counter counter(String name) {
        return new StoreCounter(Limits.checkName("counter name", name), this);
    }

    @Override
    public Sequence sequence(String name) {
        return new StoreSequence(Limits.checkName("sequence name", name), this);
    }

    @Override
    public NamePage counterNames(String prefix, @Nullable String cursor, int limit) {
        return namesOfCounters(prefix, cursor, limit).await();
    }

    @Override
    public NamePage sequenceNames(String prefix, @Nullable String cursor, int limit) {
        return namesOfSequences(prefix, cursor, limit).await();
    }

    @Override
    public Readings readAll(Collection<String> names, Duration maxStaleness) {
        return readMany(names, maxStaleness).await();
    }

    @Override
    public List<NamedReading> top(String prefix, int limit) {
        return largest(prefix, limit).await();
    }

    @Override
    public Resolution resolve(IdempotencyToken token) {
        return decide(token).await();
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public AsyncCounters async() {
        return new StoreAsyncCounters(this);
    }

    @Override
    public void close() {
        if (!outstanding.close()) {
            return;
        }
        List<IdempotencyToken> unknown;
        try (timers) {
            watches.close();
            unknown = outstanding.drain(options.drainTimeout());
            backend.close();
        }
        if (!unknown.isEmpty()) {
            throw new OutcomeUnknownException(
                    "closed while " + unknown.size() + " changes were still on their way; their tokens: " + unknown,
                    unknown.get(0),
                    null);
        }
    }

    Adds adds() {
        return adds;
    }

    Appends appends() {
        return appends;
    }

    Waiter<Reading> read(String name, Duration maxStaleness) {
        checkStaleness(maxStaleness);
        return calls.read(
                "reading '" + name + "'",
                call -> backend.counters()
                        .read(List.of(name), maxStaleness, call)
                        .thenApply(results -> heard(name, results.get(0).orThrow())));
    }

    Watch watch(
            String name,
            Duration cadence,
            Consumer<? super Reading> readings,
            Consumer<? super CounterException> failures) {
        return watches.open(name, cadence, readings, failures);
    }

    Waiter<Readings> readMany(Collection<String> names, Duration maxStaleness) {
        checkStaleness(maxStaleness);
        List<String> distinct = new ArrayList<>(new LinkedHashSet<>(names));
        if (distinct.size() > Limits.MAX_PAGE) {
            throw new IllegalArgumentException(
                    distinct.size() + " counters: read at most " + Limits.MAX_PAGE + " at once");
        }
        distinct.forEach(name -> Limits.checkName("counter name", name));
        return calls.read(
                "reading " + distinct.size() + " counters",
                distinct.stream().mapToLong(Waiter::bytesOf).sum(),
                call -> backend.counters()
                        .read(distinct, maxStaleness, call)
                        .thenApply(
                                results -> heard(Readings.of(distinct, results).orThrowIfNoneWasRead())));
    }

    private Readings heard(Readings readings) {
        readings.forEach(this::heard);
        return readings;
    }

    private Reading heard(String name, Reading reading) {
        calls.listener().onRead(name, reading.staleness());
        return reading;
    }

    Waiter<Void> reset(String name) {
        return calls.change(
                "reset of '" + name + "'",
                Origin.counter(name),
                commit -> backend.counters().reset(name, commit));
    }

    Waiter<Void> delete(String name) {
        return calls.change(
                "deletion of '" + name + "'",
                Origin.counter(name),
                commit -> backend.counters().delete(name, commit));
    }

    Waiter<Tail> tail(String sequence) {
        return calls.read(
                "reading the tail of '" + sequence + "'",
                call -> backend.sequences().tail(sequence, call));
    }

    Waiter<List<Entry>> read(String sequence, long from, long to) {
        NumberRange range = new NumberRange(from, to);
        if (range.size() > Limits.MAX_PAGE) {
            throw new IllegalArgumentException("entries " + from + " to " + to + " are " + range.size()
                    + " numbers: read at most " + Limits.MAX_PAGE + " at once");
        }
        return calls.read(
                "reading '" + sequence + "' " + from + " to " + to,
                call -> backend.sequences().read(sequence, range, call));
    }

    Waiter<Boolean> erase(String sequence, long number) {
        if (number < 1) {
            throw new IllegalArgumentException("number " + number + ": numbers start at 1");
        }
        return calls.change(
                "erasing entry " + number + " of '" + sequence + "'",
                Origin.sequence(sequence),
                commit -> backend.sequences().erase(sequence, number, commit));
    }

    /** Throws if there was nothing to erase. */
    static void checkErased(String sequence, long number, boolean erased) {
        if (!erased) {
            throw new IllegalArgumentException(
                    "'" + sequence + "' has no entry " + number + ": numbers go from 1 to its last one");
        }
    }

    Waiter<Seal> seal(Origin origin, String forward) {
        Objects.requireNonNull(forward, "forward");
        Limits.checkText("forward", forward, Limits.MAX_TOKEN_BYTES);
        boolean counter = origin.kind() == Origin.Kind.COUNTER;
        require(counter ? Capability.SEAL_COUNTERS : Capability.SEAL_SEQUENCES);
        return calls.change(
                "sealing '" + origin.name() + "'",
                origin,
                commit -> counter
                        ? backend.counters().seal(origin.name(), forward, commit)
                        : backend.sequences().seal(origin.name(), forward, commit));
    }

    Waiter<NamePage> namesOfCounters(String prefix, @Nullable String cursor, int limit) {
        checkPage(prefix, limit);
        return calls.read(
                "listing counters '" + prefix + "'", call -> backend.counters().names(prefix, cursor, limit, call));
    }

    Waiter<NamePage> namesOfSequences(String prefix, @Nullable String cursor, int limit) {
        checkPage(prefix, limit);
        return calls.read(
                "listing sequences '" + prefix + "'",
                call -> backend.sequences().names(prefix, cursor, limit, call));
    }

    Waiter<List<NamedReading>> largest(String prefix, int limit) {
        checkPage(prefix, limit);
        require(Capability.TOP);
        return calls.read(
                "largest counters '" + prefix + "'", call -> backend.counters().top(prefix, limit, call));
    }

    Waiter<Resolution> decide(IdempotencyToken token) {
        return tokens.resolve(Objects.requireNonNull(token, "token"));
    }

    private void require(Capability capability) {
        if (!capabilities.contains(capability)) {
            throw new UnsupportedOperationException("the store of these counters cannot " + capability.ability()
                    + ": use a backend that can; Counters.capabilities() tells");
        }
    }

    private static void checkStaleness(Duration maxStaleness) {
        if (maxStaleness.isNegative()) {
            throw new IllegalArgumentException(
                    "maxStaleness " + Durations.inWords(maxStaleness) + ": use zero for a strong read, or more");
        }
    }

    private static void checkPage(String prefix, int limit) {
        if (!prefix.isEmpty()) {
            Limits.checkName("prefix", prefix);
        }
        if (limit < 1 || limit > Limits.MAX_PAGE) {
            throw new IllegalArgumentException("limit " + limit + ": use 1 to " + Limits.MAX_PAGE);
        }
    }
}
