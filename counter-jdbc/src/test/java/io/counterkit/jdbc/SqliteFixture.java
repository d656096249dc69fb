package io.counterkit.jdbc;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** A file of its own, so that tests that run side by side do not wait for one write lock. */
final class SqliteFixture implements BackendFixture {
    private static final JdbcCounterOptions OPTIONS =
            JdbcCounterOptions.builder().createTables(true).build();

    private final JdbcFaults faults = new JdbcFaults();
    private final DataSource source;

    SqliteFixture(Path directory) {
        source = faults.around(file(directory.resolve(UUID.randomUUID() + ".db")), JdbcFaults.Calls.TRANSACTIONS);
    }

    /** Returns a data source on a file. */
    static SQLiteDataSource file(Path file) {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file);
        return source;
    }

    @Override
    public JdbcCounterBackend connect() {
        return faults.create(() -> JdbcCounterBackend.create(source, OPTIONS));
    }

    @Override
    public FaultInjector faults() {
        return faults;
    }

    /** Lists show at once what was committed. */
    @Override
    public Duration lag() {
        return Duration.ZERO;
    }

    @Override
    public void close() {}
}
