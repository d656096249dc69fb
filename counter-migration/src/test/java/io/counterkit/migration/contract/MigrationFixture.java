package io.counterkit.migration.contract;

import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.Rollout;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.FaultInjectingConnection;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import java.time.Duration;

/** Creates two stores in memory for each test, and a rollout that all processes share. */
class MigrationFixture implements BackendFixture {
    private final InMemoryStore source;
    private final InMemoryStore target;
    private final FaultInjectingConnection connection = new FaultInjectingConnection();
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
                new ConnectedBackend("source", InMemoryBackend.over(source), connection),
                new ConnectedBackend("target", InMemoryBackend.over(target), connection),
                options);
    }

    /** Connects a process without faults. */
    MigratingBackend connectUndisturbed() {
        return MigratingBackend.create(InMemoryBackend.over(source), InMemoryBackend.over(target), options);
    }

    @Override
    public FaultInjector faults() {
        return connection;
    }

    @Override
    public void close() {
        connection.clear();
    }
}
