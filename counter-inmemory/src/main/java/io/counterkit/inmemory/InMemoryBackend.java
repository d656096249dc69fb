package io.counterkit.inmemory;

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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Counters and sequences in memory, for unit tests and experiments. Implements the whole contract, declares every
 * capability, and is linearizable. The data is lost when the process ends. Thread-safe.
 */
public final class InMemoryBackend implements CounterBackend {
    private final InMemoryStore store;
    private final FaultGate gate;

    private InMemoryBackend(InMemoryStore store) {
        this.store = store;
        this.gate = new FaultGate(store.faults(), store.options().batches().callerRuns());
    }

    /** Creates a backend over a new, empty store. */
    public static InMemoryBackend create() {
        return over(InMemoryStore.create());
    }

    /** Creates a backend over {@code store}. Several backends over one store act like several processes. */
    public static InMemoryBackend over(InMemoryStore store) {
        return new InMemoryBackend(store);
    }

    /** Returns the store. */
    public InMemoryStore store() {
        return store;
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public CounterStore counters() {
        return new InMemoryCounters(store, gate);
    }

    @Override
    public SequenceStore sequences() {
        return new InMemorySequences(store, gate);
    }

    @Override
    public MigrationStore migration() {
        return new InMemoryMigration(store, gate);
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        List<String> names = target == null ? List.of() : List.of(target.name());
        return gate.read(names, () -> store.tokens().resolve(token, target));
    }

    @Override
    public Duration retention() {
        return store.options().retention();
    }

    @Override
    public void close() {}
}
