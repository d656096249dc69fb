package io.counterkit.verification.broken;

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

/** Forwards to another backend. */
class ForwardingBackend implements CounterBackend {
    final CounterBackend backend;
    private final CounterStore counters;
    private final SequenceStore sequences;
    private final @Nullable MigrationStore migration;

    ForwardingBackend(CounterBackend backend) {
        this(backend, backend.counters(), backend.sequences());
    }

    ForwardingBackend(CounterBackend backend, CounterStore counters, SequenceStore sequences) {
        this(backend, counters, sequences, null);
    }

    /** Creates a backend. If {@code migration} is null, uses the migration store of {@code backend}. */
    ForwardingBackend(
            CounterBackend backend,
            CounterStore counters,
            SequenceStore sequences,
            @Nullable MigrationStore migration) {
        this.backend = backend;
        this.counters = counters;
        this.sequences = sequences;
        this.migration = migration;
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
        return migration == null ? backend.migration() : migration;
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        return backend.resolve(token, origin, call);
    }

    @Override
    public Duration retention() {
        return backend.retention();
    }

    @Override
    public void close() {
        backend.close();
    }
}
