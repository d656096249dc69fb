package io.counterkit.internal.request;

import io.counterkit.AsyncCounters;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Readings;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.internal.batch.PendingRequests;
import io.counterkit.internal.follow.Followers;
import io.counterkit.internal.watch.Watches;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@link Counters} over a backend. Connects the classes that execute the operations. */
public final class DefaultCounters implements Counters {
    private final CounterBackend backend;
    private final Set<Capability> capabilities;
    private final Duration drainTimeout;
    private final Timers timers = Timers.named("counterkit");
    private final PendingRequests pending;
    private final TokenResolver tokens;
    private final TokenSettler settler;
    private final CounterOperations counters;
    private final SequenceOperations sequences;
    private final Watches watches;
    private final Followers followers;

    public DefaultCounters(CounterBackend backend, CountersOptions options) {
        this.backend = backend;
        this.capabilities = Set.copyOf(
                Objects.requireNonNull(backend.capabilities(), "the backend returned null for capabilities()"));
        this.drainTimeout = options.drainTimeout();
        Limits.checkDeadline(
                options.deadline(),
                Objects.requireNonNull(backend.retention(), "the backend returned null for retention()"));
        this.pending = new PendingRequests(
                options.queueLimit(),
                options.queueBytes(),
                options.deadline(),
                GuardedListener.of(options.listener()),
                timers);
        BackendInvoker invoker = new BackendInvoker(options.random(), pending);
        this.tokens = new TokenResolver(backend, invoker);
        this.settler = new TokenSettler(tokens, timers);
        this.counters = new CounterOperations(backend, capabilities, invoker, tokens);
        this.sequences = new SequenceOperations(backend, capabilities, invoker, tokens);
        this.watches = new Watches(
                (name, maxStaleness) -> counters.read(name, maxStaleness).reply(),
                backend.counters(),
                invoker::newCall,
                timers,
                options.backgroundThreads());
        this.followers = new Followers(backend.sequences(), timers, options.backgroundThreads(), drainTimeout);
    }

    @Override
    public Counter counter(String name) {
        return new DefaultCounter(Limits.checkName("counter name", name), counters, watches);
    }

    @Override
    public Sequence sequence(String name) {
        return new DefaultSequence(Limits.checkName("sequence name", name), sequences, followers);
    }

    @Override
    public NamePage counterNames(String prefix, @Nullable String cursor, int limit) {
        return counters.names(prefix, cursor, limit).await();
    }

    @Override
    public NamePage sequenceNames(String prefix, @Nullable String cursor, int limit) {
        return sequences.names(prefix, cursor, limit).await();
    }

    @Override
    public Readings readAll(Collection<String> names, Duration maxStaleness) {
        return counters.readAll(names, maxStaleness).await();
    }

    @Override
    public List<NamedReading> top(String prefix, int limit) {
        return counters.top(prefix, limit).await();
    }

    @Override
    public Resolution resolve(IdempotencyToken token) {
        return tokens.resolve(token).await();
    }

    @Override
    public Resolution settle(IdempotencyToken token, Duration timeout) {
        return settler.settle(token, timeout);
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public AsyncCounters async() {
        return new DefaultAsyncCounters(counters, sequences, tokens, settler);
    }

    @Override
    public void close() {
        followers.close(); // while requests are accepted, so that they can store their checkpoints
        if (!pending.tryClose()) {
            return;
        }
        List<IdempotencyToken> unknown = List.of();
        @Nullable RuntimeException failure = null;
        try (timers) {
            watches.close();
            unknown = pending.drain(drainTimeout);
            backend.close();
        } catch (RuntimeException e) {
            failure = e;
        }
        if (!unknown.isEmpty()) {
            throw new OutcomeUnknownException(
                    "closed while " + unknown.size() + " changes were in flight; their tokens: " + unknown,
                    unknown.get(0),
                    failure);
        }
        if (failure != null) {
            throw failure;
        }
    }
}
