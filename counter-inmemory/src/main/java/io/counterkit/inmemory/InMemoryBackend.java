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
 * Counters and sequences in memory, for unit tests and for trying things out. It keeps the whole contract, declares
 * every capability and is linearizable; nothing survives the process. Thread-safe.
 */
public final class InMemoryBackend implements CounterBackend {
    private final InMemoryStore store;
    private final FaultGate line;

    private InMemoryBackend(InMemoryStore store) {
        this.store = store;
        this.line = new FaultGate(store);
    }

    /** A backend over an empty store of its own. */
    public static InMemoryBackend create() {
        return over(InMemoryStore.create());
    }

    /** A backend over {@code store}. Several over one store act like several processes. */
    public static InMemoryBackend over(InMemoryStore store) {
        return new InMemoryBackend(store);
    }

    /** The store below. */
    public InMemoryStore store() {
        return store;
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public CounterStore counters() {
        return new InMemoryCounters(store, line);
    }

    @Override
    public SequenceStore sequences() {
        return new InMemorySequences(store, line);
    }

    @Override
    public MigrationStore migration() {
        return new InMemoryMigration(store, line);
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        List<String> names = origin == null ? List.of() : List.of(origin.name());
        IdempotencyToken remembered =
                origin != null && origin.isAppend() ? TokenTable.ofRequest(token, origin.request()) : token;
        return line.read(
                names,
                () -> store.tokens()
                        .claim(remembered, Resolution.NotApplied::new)
                        .resolution());
    }

    @Override
    public Duration retention() {
        return store.options().retention();
    }

    @Override
    public void close() {}
}
