package io.counterkit.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.jdbc.server.PostgresServer;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/** The server of this JVM. Each process has a pool of its own, or none; the faults are below it. */
final class PostgresFixture implements BackendFixture {
    private final JdbcFaults faults = new JdbcFaults();
    private final Queue<HikariDataSource> pools = new ConcurrentLinkedQueue<>();
    private final DataSource server = PostgresServer.shared();
    private final boolean hasPool;
    private final JdbcCounterOptions options;

    /** @param tablePrefix one for each kind, since some tests of the contract use the same names, at the same time */
    private PostgresFixture(String tablePrefix, boolean hasPool, boolean notifies) {
        this.hasPool = hasPool;
        this.options = JdbcCounterOptions.builder()
                .tablePrefix(tablePrefix)
                .createTables(true)
                .notifications(notifies)
                .build();
    }

    static PostgresFixture pooled() {
        return new PostgresFixture("counterkit_", true, false);
    }

    static PostgresFixture withoutPool() {
        return new PostgresFixture("without_pool_", false, false);
    }

    /** Returns a fixture whose changes notify watches and followers. */
    static PostgresFixture notifying() {
        return new PostgresFixture("notifying_", true, true);
    }

    /** Returns a prefix of tables that no other test uses. */
    static String unusedPrefix() {
        return "t" + UUID.randomUUID().toString().replace("-", "").substring(0, 20) + "_";
    }

    /** Connects a process to tables with this prefix, whose changes notify watches and followers. */
    static JdbcCounterBackend notifying(DataSource source, String prefix) {
        return JdbcCounterBackend.create(
                source,
                JdbcCounterOptions.builder()
                        .tablePrefix(prefix)
                        .createTables(true)
                        .notifications(true)
                        .build());
    }

    @Override
    public CounterBackend connect() {
        return faults.create(() -> JdbcCounterBackend.create(hasPool ? pool() : direct(), options));
    }

    private DataSource direct() {
        return faults.around(server, JdbcFaults.Calls.ROUND_TRIPS_AND_CONNECTS);
    }

    private DataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(faults.around(server, JdbcFaults.Calls.ROUND_TRIPS));
        config.setMaximumPoolSize(options.connections() + 1); // and one that listens
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
