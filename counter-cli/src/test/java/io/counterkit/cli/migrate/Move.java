package io.counterkit.cli.migrate;

import io.counterkit.RampUpLimiter;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationJob;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MigrationReport;
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.Rollout;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.VerificationReport;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.spi.CounterBackend;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** A migration from one store to another, of names with a prefix of its own. Each process has a backend of its own. */
public final class Move implements AutoCloseable {
    private final String prefix = UUID.randomUUID() + "/";
    private final Supplier<CounterBackend> from;
    private final Supplier<CounterBackend> to;
    private final Queue<CounterBackend> open = new ConcurrentLinkedQueue<>();

    /**
     * @param from connects to the source
     * @param to connects to the target
     */
    public Move(Supplier<CounterBackend> from, Supplier<CounterBackend> to) {
        this.from = from;
        this.to = to;
    }

    public String prefix() {
        return prefix;
    }

    /** Connects a process as it was before the migration. */
    public CounterBackend source() {
        return connect(from);
    }

    /** Connects a process as it is after the migration. */
    public CounterBackend target() {
        return connect(to);
    }

    private CounterBackend connect(Supplier<CounterBackend> store) {
        CounterBackend backend = store.get();
        open.add(backend);
        return backend;
    }

    /** Connects a process with the migration in its configuration. */
    public MigratingBackend migrating(int percent) {
        return migrating(percent, Connection.direct());
    }

    public MigratingBackend migrating(int percent, Connection connection) {
        return MigratingBackend.create(
                new ConnectedBackend("source", source(), connection),
                new ConnectedBackend("target", target(), connection),
                MigrationOptions.builder("old", "new")
                        .rollout(Rollout.at(percent))
                        .build());
    }

    /** Moves all names with the prefix. */
    public MigrationReport run(MigratingBackend process) throws InterruptedException {
        MigrationJobOptions options = MigrationJobOptions.builder()
                .prefix(prefix)
                .copyEntries(true)
                .ramp(RampUpLimiter.unlimited())
                .build();
        return MigrationJob.over(process, options).run();
    }

    public VerificationReport verify() throws InterruptedException {
        VerificationOptions all = VerificationOptions.builder()
                .prefix(prefix)
                .copiedEntries(true)
                .allEntries()
                .build();
        return MigrationVerifier.over(migrating(100), all).run();
    }

    @Override
    public void close() {
        open.forEach(CounterBackend::close);
    }
}
