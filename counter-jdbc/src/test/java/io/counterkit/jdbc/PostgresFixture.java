package io.counterkit.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.jdbc.server.PostgresServer;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/** The server of this JVM. Each process has a pool of its own, or none; the faults are below it. */
final class PostgresFixture implements BackendFixture {
    private static final JdbcCounterOptions OPTIONS =
            JdbcCounterOptions.builder().createTables(true).build();

    private final JdbcFaults faults = new JdbcFaults();
    private final Queue<HikariDataSource> pools = new ConcurrentLinkedQueue<>();
    private final DataSource server = PostgresServer.shared();
    private final boolean hasPool;

    private PostgresFixture(boolean hasPool) {
        this.hasPool = hasPool;
    }

    static PostgresFixture pooled() {
        return new PostgresFixture(true);
    }

    static PostgresFixture withoutPool() {
        return new PostgresFixture(false);
    }

    @Override
    public CounterBackend connect() {
        DataSource source = hasPool ? pool() : direct();
        return faults.create(() -> JdbcCounterBackend.create(source, OPTIONS));
    }

    private DataSource direct() {
        return faults.around(server, JdbcFaults.Calls.ROUND_TRIPS_AND_CONNECTS);
    }

    private DataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(faults.around(server, JdbcFaults.Calls.ROUND_TRIPS));
        config.setMaximumPoolSize(OPTIONS.connections());
        config.setMinimumIdle(0);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
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
    public void close() {
        for (HikariDataSource pool = pools.poll(); pool != null; pool = pools.poll()) {
            pool.close();
        }
    }
}
