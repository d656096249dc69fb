package io.counterkit.cli.jdbc;

import io.counterkit.RampUpLimiter;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.jdbc.server.PostgresServer;
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
import java.nio.file.Path;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.sqlite.SQLiteDataSource;

/** A migration from one store to another, of names with a prefix of its own. Each process has a backend of its own. */
final class Move implements AutoCloseable {
    /** A kind of store. */
    enum Place {
        INMEMORY,
        SQLITE,
        POSTGRESQL
    }

    private static final JdbcCounterOptions OPTIONS =
            JdbcCounterOptions.builder().createTables(true).build();

    final String prefix = UUID.randomUUID() + "/";
    private final Place from;
    private final Place to;
    private final Path directory;
    private final InMemoryStore memory = InMemoryStore.create();
    private final Queue<CounterBackend> open = new ConcurrentLinkedQueue<>();

    Move(Place from, Place to, Path directory) {
        this.from = from;
        this.to = to;
        this.directory = directory;
    }

    /** Connects a process as it was before the migration. */
    CounterBackend source() {
        return connect(from);
    }

    /** Connects a process as it is after the migration. */
    CounterBackend target() {
        return connect(to);
    }

    private CounterBackend connect(Place place) {
        CounterBackend backend = switch (place) {
            case INMEMORY -> InMemoryBackend.over(memory);
            case SQLITE -> {
                SQLiteDataSource file = new SQLiteDataSource();
                file.setUrl("jdbc:sqlite:" + directory.resolve("counters.db"));
                yield JdbcCounterBackend.create(file, OPTIONS);
            }
            case POSTGRESQL -> JdbcCounterBackend.create(PostgresServer.shared(), OPTIONS);
        };
        open.add(backend);
        return backend;
    }

    /** Connects a process with the migration in its configuration. */
    MigratingBackend migrating(int percent) {
        return migrating(percent, Connection.direct());
    }

    MigratingBackend migrating(int percent, Connection connection) {
        return MigratingBackend.create(
                new ConnectedBackend("source", source(), connection),
                new ConnectedBackend("target", target(), connection),
                MigrationOptions.builder("old", "new")
                        .rollout(Rollout.at(percent))
                        .build());
    }

    /** Moves all names with the prefix. */
    MigrationReport run(MigratingBackend process) throws InterruptedException {
        MigrationJobOptions options = MigrationJobOptions.builder()
                .prefix(prefix)
                .copyEntries(true)
                .ramp(RampUpLimiter.unlimited())
                .build();
        return MigrationJob.over(process, options).run();
    }

    VerificationReport verify() throws InterruptedException {
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
