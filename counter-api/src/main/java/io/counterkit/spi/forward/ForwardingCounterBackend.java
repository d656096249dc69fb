package io.counterkit.spi.forward;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Passes each call to another backend. To change the calls on counters or sequences, give the constructor a subclass of
 * {@link ForwardingCounterStore} or {@link ForwardingSequenceStore}. To change a call of the backend itself, override
 * its method; for the calls of a migration, override {@link #migration()} and return a
 * {@link ForwardingMigrationStore}.
 *
 * <p>A backend that changes calls must still obey the contract: run the kit ({@code counter-tck}) against it.
 * Thread-safe if the backend and the stores are.
 */
public class ForwardingCounterBackend implements CounterBackend {
    /** The backend that receives the calls. */
    protected final CounterBackend backend;

    private final CounterStore counters;
    private final SequenceStore sequences;

    /** Creates a backend that passes all calls to {@code backend}. */
    public ForwardingCounterBackend(CounterBackend backend) {
        this(backend, backend.counters(), backend.sequences());
    }

    /** Creates a backend with these counters and sequences, which passes all other calls to {@code backend}. */
    public ForwardingCounterBackend(CounterBackend backend, CounterStore counters, SequenceStore sequences) {
        this.backend = backend;
        this.counters = counters;
        this.sequences = sequences;
    }

    @Override
    public Set<Capability> capabilities() {
        return backend.capabilities();
    }

    @Override
    public CounterStore counters() {
        return counters;
    }

    @Override
    public SequenceStore sequences() {
        return sequences;
    }

    @Override
    public MigrationStore migration() {
        return backend.migration();
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        return backend.resolve(token, target, call);
    }

    @Override
    public Duration retention() {
        return backend.retention();
    }

    /** Closes the other backend. */
    @Override
    public void close() {
        backend.close();
    }
}
