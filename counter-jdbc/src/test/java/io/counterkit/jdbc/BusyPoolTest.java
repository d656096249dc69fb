package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.SchemaTest.Store;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool whose connections the application keeps, and that waits for one longer than the deadline of a call. */
class BusyPoolTest {
    private static final int CONNECTIONS = 7;
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    private final JdbcCounterOptions options = JdbcCounterOptions.builder()
            .tablePrefix(PostgresFixture.unusedPrefix())
            .createTables(true)
            .build();

    /** Returns a pool with as many connections as SQLite needs. */
    private HikariDataSource pool(Store store, Duration wait) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(store.source(directory));
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(wait.toMillis());
        return new HikariDataSource(config);
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, false", "POSTGRESQL, true", "SQLITE, false", "SQLITE, true"})
    void callThatFindsNoConnection_isNotApplied_evenWhenThePoolHasOneAgain(Store store, boolean isLazy)
            throws Exception {
        try (HikariDataSource pool = pool(store, WAIT);
                Counters counters = Counters.over(
                        JdbcCounterBackend.create(isLazy ? lazy(pool) : pool, options),
                        CountersOptions.builder().deadline(DEADLINE).build())) {
            try (AutoCloseable kept = takeAll(pool)) {
                assertThat(kept).isNotNull();
                // a busy machine may notice the deadline too late to tell the outcome, but not each time
                await().atMost(WAIT).untilAsserted(() -> {
                    Throwable failure =
                            catchThrowable(() -> counters.counter("likes").increment());
                    assertThat(failure).isInstanceOf(CounterException.class);
                    assertThat(failure)
                            .isInstanceOf(NotAppliedException.class)
                            .hasMessage("adding to 'likes' failed: the deadline passed before a thread or connection"
                                    + " was free");
                });
            }
            await().atMost(WAIT).ignoreExceptions().untilAsserted(() -> {
                assertThat(counters.counter("likes").get()).isZero();
                assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection())
                        .isZero();
            });
            counters.counter("likes").add(3);
            assertThat(counters.counter("likes").get()).isEqualTo(3);
        }
    }

    /** The last attempt still waits for a connection when the deadline passes. */
    @ParameterizedTest
    @EnumSource
    void callWhoseAttemptsFindNoConnection_isNotApplied(Store store) throws Exception {
        try (HikariDataSource pool = pool(store, DEADLINE.dividedBy(5).multipliedBy(2));
                Counters counters = Counters.over(
                        JdbcCounterBackend.create(pool, options),
                        CountersOptions.builder().deadline(DEADLINE).build());
                AutoCloseable kept = takeAll(pool)) {
            assertThat(kept).isNotNull();
            await().atMost(WAIT)
                    .untilAsserted(() -> assertThat(catchThrowable(
                                    () -> counters.counter("likes").increment()))
                            .isInstanceOf(NotAppliedException.class)
                            .hasMessageStartingWith("adding to 'likes' failed: ")
                            .hasMessageContaining("request timed out"));
        }
    }

    /** Takes all connections of a pool; closing the result returns them. */
    private static AutoCloseable takeAll(DataSource pool) throws SQLException {
        List<Connection> taken = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            taken.add(pool.getConnection());
        }
        return () -> {
            for (Connection connection : taken) {
                connection.close();
            }
        };
    }

    /**
     * Returns a data source whose connections are taken from the pool when they are used, as those of Spring's proxy.
     */
    private static DataSource lazy(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                BusyPoolTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (source, connecting, none) -> Proxy.newProxyInstance(
                        BusyPoolTest.class.getClassLoader(), new Class<?>[] {Connection.class}, new LazyUse(pool)));
    }

    private static final class LazyUse implements InvocationHandler {
        /** What the proxy answers without a connection. */
        private static final Map<String, Boolean> UNUSED = Map.of("getAutoCommit", true, "isClosed", false);

        private final DataSource pool;
        private Connection connection;

        LazyUse(DataSource pool) {
            this.pool = pool;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (connection == null) {
                if (method.getName().equals("close")) {
                    return null;
                }
                if (UNUSED.containsKey(method.getName())) {
                    return UNUSED.get(method.getName());
                }
                connection = pool.getConnection();
            }
            try {
                return method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    /** Pools other than Hikari throw an exception without a type or a code of its own. */
    @ParameterizedTest
    @EnumSource
    void poolThatThrowsAPlainException_isTriedAgain(Store store) {
        DataSource source = store.source(directory);
        AtomicInteger empty = new AtomicInteger();
        DataSource pool = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (empty.get() > 0) {
                        empty.decrementAndGet();
                        throw new SQLException("Cannot get a connection, pool error Timeout waiting for idle object");
                    }
                    return method.invoke(source, arguments);
                });
        try (Counters counters = Counters.over(JdbcCounterBackend.create(pool, options))) {
            empty.set(2);
            counters.counter("likes").add(3);
            assertThat(empty).as("the connections that the pool still refuses").hasValue(0);
            assertThat(counters.counter("likes").get()).isEqualTo(3);
        }
        empty.set(1);
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> Counters.over(JdbcCounterBackend.create(pool, options)))
                .withMessageContaining("pool error Timeout waiting for idle object");
    }

    /** The cause says what is wrong, and a retry would not help. */
    @Test
    void poolThatWrapsTheFailureOfTheDriver_reportsTheCause() {
        SQLException cause = new SQLException("[SQLITE_CANTOPEN] Unable to open the database file", null, 14);
        AtomicBoolean isBroken = new AtomicBoolean();
        DataSource file = Store.SQLITE.source(directory);
        DataSource pool = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (isBroken.get()) {
                        throw new SQLException("Cannot create PoolableConnectionFactory", cause);
                    }
                    return method.invoke(file, arguments);
                });
        try (Counters counters = Counters.over(JdbcCounterBackend.create(pool, options))) {
            isBroken.set(true);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> counters.counter("likes").increment())
                    .withMessageContaining("the file cannot be opened; its directory must exist and be writable");
        }
    }

    /** As Spring's routing data source does, which finds no database for a thread without a choice. */
    @Test
    void dataSourceThatThrowsAnUncheckedException_isReported() {
        DataSource choosing = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (source, connecting, none) -> {
                    throw new IllegalStateException("no database is chosen");
                });
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> JdbcCounterBackend.create(choosing, options))
                .withMessage("the database cannot be used: no connection to the database: no database is chosen");
    }
}
