package io.counterkit.internal.request;

import io.counterkit.AsyncCounters;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.NumberRange;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.Watch;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.internal.batch.PendingRequests;
import io.counterkit.internal.watch.Watches;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
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
public final class DefaultCounters implements Counters {
    private final CounterBackend backend;
    private final CountersOptions options;
    private final Set<Capability> capabilities;
    private final Timers timers = Timers.named("counterkit");
    private final PendingRequests outstanding;
    private final BackendInvoker calls;
    private final TokenResolver tokens;
    private final AddSubmitter adds;
    private final AppendSubmitter appends;
    private final Watches watches;

    public DefaultCounters(CounterBackend backend, CountersOptions options) {
        this.backend = backend;
        this.options = options;
        this.capabilities = Set.copyOf(backend.capabilities());
        Limits.checkDeadline(options.deadline(), backend.retention());
        this.outstanding = new PendingRequests(options.queueLimit(), options.queueBytes(), options.deadline(), timers);
        this.calls = new BackendInvoker(options, GuardedListener.of(options.listener()), outstanding);
        this.tokens = new TokenResolver(backend, calls);
        this.adds = new AddSubmitter(backend.counters(), calls, tokens);
        this.appends = new AppendSubmitter(backend.sequences(), calls, tokens);
        this.watches = new Watches(
                (name, bound) -> read(name, bound).reply(),
                backend.counters(),
                calls::call,
                timers,
                options.watchThread());
    }

    @Override
    public Counter counter(String name) {
        return new DefaultCounter(Limits.checkName("counter name", name), this);
    }

    @Override
    public Sequence sequence(String name) {
        return new DefaultSequence(Limits.checkName("sequence name", name), this);
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
        return new DefaultAsyncCounters(this);
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

    AddSubmitter adds() {
        return adds;
    }

    AppendSubmitter appends() {
        return appends;
    }

    PendingRequest<Reading> read(String name, Duration maxStaleness) {
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

    PendingRequest<Readings> readMany(Collection<String> names, Duration maxStaleness) {
        checkStaleness(maxStaleness);
        List<String> distinct = new ArrayList<>(new LinkedHashSet<>(names));
        if (distinct.size() > Limits.MAX_PAGE) {
            throw new IllegalArgumentException(
                    distinct.size() + " counters: read at most " + Limits.MAX_PAGE + " at once");
        }
        distinct.forEach(name -> Limits.checkName("counter name", name));
        return calls.read(
                "reading " + distinct.size() + " counters",
                distinct.stream().mapToLong(PendingRequest::bytesOf).sum(),
                call -> backend.counters()
                        .read(distinct, maxStaleness, call)
                        .thenApply(results -> BatchReadings.of(distinct, results, this::heard)));
    }

    private Reading heard(String name, Reading reading) {
        calls.listener().onRead(name, reading.staleness());
        return reading;
    }

    PendingRequest<Void> reset(String name) {
        return calls.change(
                "reset of '" + name + "'",
                ChangeTarget.counter(name),
                commit -> backend.counters().reset(name, commit));
    }

    PendingRequest<Void> delete(String name) {
        return calls.change(
                "deletion of '" + name + "'",
                ChangeTarget.counter(name),
                commit -> backend.counters().delete(name, commit));
    }

    PendingRequest<Tail> tail(String sequence) {
        return calls.read(
                "reading the tail of '" + sequence + "'",
                call -> backend.sequences().tail(sequence, call));
    }

    public PendingRequest<List<Entry>> read(String sequence, long from, long to) {
        NumberRange range = new NumberRange(from, to);
        if (range.size() > Limits.MAX_PAGE) {
            throw new IllegalArgumentException("entries " + from + " to " + to + " are " + range.size()
                    + " numbers: read at most " + Limits.MAX_PAGE + " at once");
        }
        return calls.read(
                "reading '" + sequence + "' " + from + " to " + to,
                call -> backend.sequences().read(sequence, range, call));
    }

    PendingRequest<Boolean> erase(String sequence, long number) {
        if (number < 1) {
            throw new IllegalArgumentException("number " + number + ": numbers start at 1");
        }
        return calls.change(
                "erasing entry " + number + " of '" + sequence + "'",
                ChangeTarget.sequence(sequence),
                commit -> backend.sequences().erase(sequence, number, commit));
    }

    /** Throws if there was nothing to erase. */
    static void checkErased(String sequence, long number, boolean erased) {
        if (!erased) {
            throw new IllegalArgumentException(
                    "'" + sequence + "' has no entry " + number + ": numbers go from 1 to its last one");
        }
    }

    PendingRequest<Seal> seal(ChangeTarget origin, String forward) {
        Objects.requireNonNull(forward, "forward");
        Limits.checkText("forward", forward, Limits.MAX_TOKEN_BYTES);
        boolean counter = origin.kind() == ChangeTarget.Kind.COUNTER;
        require(counter ? Capability.SEAL_COUNTERS : Capability.SEAL_SEQUENCES);
        return calls.change(
                "sealing '" + origin.name() + "'",
                origin,
                commit -> counter
                        ? backend.counters().seal(origin.name(), forward, commit)
                        : backend.sequences().seal(origin.name(), forward, commit));
    }

    PendingRequest<NamePage> namesOfCounters(String prefix, @Nullable String cursor, int limit) {
        checkPage(prefix, limit);
        return calls.read(
                "listing counters '" + prefix + "'", call -> backend.counters().names(prefix, cursor, limit, call));
    }

    PendingRequest<NamePage> namesOfSequences(String prefix, @Nullable String cursor, int limit) {
        checkPage(prefix, limit);
        return calls.read(
                "listing sequences '" + prefix + "'",
                call -> backend.sequences().names(prefix, cursor, limit, call));
    }

    PendingRequest<List<NamedReading>> largest(String prefix, int limit) {
        checkPage(prefix, limit);
        require(Capability.TOP);
        return calls.read(
                "largest counters '" + prefix + "'", call -> backend.counters().top(prefix, limit, call));
    }

    PendingRequest<Resolution> decide(IdempotencyToken token) {
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
