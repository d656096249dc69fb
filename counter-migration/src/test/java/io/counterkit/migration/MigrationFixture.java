package io.counterkit.migration;

import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import java.time.Duration;

/** Two stores in memory for each test, and a rollout that all processes share. */
class MigrationFixture implements BackendFixture {
    private final InMemoryStore source;
    private final InMemoryStore target;
    private final FaultyWire wire = new FaultyWire();
    final MigrationOptions options;

    MigrationFixture(int percent) {
        this(percent, BatchLimits.ofWeight(20).withInFlight(4));
    }

    MigrationFixture(int percent, BatchLimits batches) {
        InMemoryOptions inMemory = InMemoryOptions.builder().batches(batches).build();
        source = InMemoryStore.create(inMemory);
        target = InMemoryStore.create(inMemory);
        options = MigrationOptions.builder("old", "new")
                .rollout(Rollout.at(percent))
                .build();
    }

    @Override
    public Duration lag() {
        return Duration.ZERO;
    }

    @Override
    public CounterBackend connect() {
        return MigratingBackend.create(
                new WiredBackend("source", InMemoryBackend.over(source), wire),
                new WiredBackend("target", InMemoryBackend.over(target), wire),
                options);
    }

    /** A process whose calls meet no faults. */
    MigratingBackend connectUndisturbed() {
        return MigratingBackend.create(InMemoryBackend.over(source), InMemoryBackend.over(target), options);
    }

    @Override
    public FaultInjector faults() {
        return wire;
    }

    @Override
    public void close() {
        wire.clear();
    }
}
