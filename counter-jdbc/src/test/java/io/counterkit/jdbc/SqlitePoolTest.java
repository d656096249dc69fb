package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.ContentionException;
import io.counterkit.CounterOverflowException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A file whose connections come from a pool that the application uses too, as with Spring Boot. */
class SqlitePoolTest {
    private static final int CONNECTIONS = 8;
    private static final int KEPT = 6;
    private static final int PATIENT_MILLIS = 4_321;
    private static final int LIMIT_SECONDS = 30;

    @TempDir
    Path directory;

    /** With a time limit of 0, the application's own statements would fail as soon as the file is locked. */
    @Test
    void returnedConnections_waitForLocksAsBefore() throws SQLException {
        SQLiteConfig patient = new SQLiteConfig();
        patient.setBusyTimeout(PATIENT_MILLIS);
        SQLiteDataSource file = new SQLiteDataSource(patient);
        file.setUrl("jdbc:sqlite:" + directory.resolve("counters.db"));
        HikariConfig config = new HikariConfig();
        config.setDataSource(file);
        config.setMaximumPoolSize(CONNECTIONS);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcCounterOptions options =
                    JdbcCounterOptions.builder().createTables(true).build();
            JdbcCounterBackend backend = JdbcCounterBackend.create(pool, options);
            try (Counters counters = Counters.over(
                            backend,
                            CountersOptions.builder()
                                    .deadline(Duration.ofSeconds(4))
                                    .build());
                    Connection open = Shop.begin(pool)) {
                backend.within(open).add("likes", 1);
                assertThatExceptionOfType(ContentionException.class)
                        .isThrownBy(() -> counters.counter("likes").increment())
                        .withMessageContaining(": another transaction kept the write lock too long: ");
                open.commit();
                counters.counter("likes").increment();
            }
            assertThat(timeLimits(pool)).containsExactly(PATIENT_MILLIS);
        }
    }

    /** The application's own statements would wait for a connection in vain. */
    @ParameterizedTest
    @ValueSource(ints = {1, KEPT})
    void poolWithoutAConnectionForTheApplication_isRefused(int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(SqliteFixture.file(directory.resolve("counters.db")));
        config.setMaximumPoolSize(size);
        JdbcCounterOptions options =
                JdbcCounterOptions.builder().createTables(true).build();
        try (HikariDataSource pool = new HikariDataSource(config)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JdbcCounterBackend.create(pool, options))
                    .withMessage("the data source is a pool with the maximum size " + size + ", and on SQLite the"
                            + " counters keep up to 6 connections: make it larger, or give the counters a data source"
                            + " without a pool");
        }
        config.setMaximumPoolSize(KEPT + 1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcCounterBackend.create(pool, options).close();
        }
    }

    /** SQLite's driver waits for a lock as long as the statement may take, even past the deadline of the call. */
    @Test
    void statementsLimitedByPool_endAtDeadline() throws SQLException {
        DataSource file = SqliteFixture.file(directory.resolve("counters.db"));
        JdbcCounterBackend backend = JdbcCounterBackend.create(
                limitingStatements(file),
                JdbcCounterOptions.builder().createTables(true).build());
        CountersOptions options =
                CountersOptions.builder().deadline(Duration.ofSeconds(2)).build();
        try (Counters counters = Counters.over(backend, options);
                Connection open = Shop.begin(file)) {
            backend.within(open).add("likes", 1);
            assertThatExceptionOfType(ContentionException.class)
                    .isThrownBy(() -> counters.counter("likes").increment());
            open.commit();
        }
    }

    /** What is wrong is the counter. */
    @Test
    void readThatFailsBecauseOfACounter_keepsItsConnection() throws SQLException {
        DataSource file = SqliteFixture.file(directory.resolve("counters.db"));
        AtomicInteger opened = new AtomicInteger();
        DataSource counted = proxy(DataSource.class, (method, arguments) -> {
            opened.incrementAndGet();
            return method.invoke(file, arguments);
        });
        JdbcCounterOptions options =
                JdbcCounterOptions.builder().createTables(true).build();
        try (Counters counters = Counters.over(JdbcCounterBackend.create(counted, options))) {
            counters.counter("likes").increment();
            SchemaTest.execute(file, "UPDATE counterkit_counters SET total = " + Long.MAX_VALUE);
            int before = opened.get();
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(() -> counters.top("", 10));
            }
            assertThat(opened).hasValue(before);
        }
    }

    /** Without autocommit again, or the application could not roll its statements back. */
    @Test
    void returnedConnection_commitsAsBefore() throws SQLException {
        try (Connection only =
                SqliteFixture.file(directory.resolve("counters.db")).getConnection()) {
            only.setAutoCommit(false);
            JdbcCounterBackend backend = JdbcCounterBackend.create(
                    keeping(only),
                    JdbcCounterOptions.builder().createTables(true).build());
            assertThat(only.getAutoCommit()).isFalse();
            try (Counters counters = Counters.over(backend)) {
                counters.counter("likes").increment();
            }
            assertThat(only.getAutoCommit()).isFalse();
        }
    }

    /** Returns a pool of one connection, which resets nothing. */
    private static DataSource keeping(Connection only) {
        Connection kept = proxy(
                Connection.class,
                (method, arguments) -> method.getName().equals("close") ? null : method.invoke(only, arguments));
        return proxy(DataSource.class, (method, arguments) -> kept);
    }

    /**
     * Returns a pool that limits the time of each statement, as Apache Commons DBCP does with a default query timeout.
     */
    private static DataSource limitingStatements(DataSource source) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object connection = method.invoke(source, arguments);
            return proxy(Connection.class, (creation, sql) -> {
                Object created = creation.invoke(connection, sql);
                if (created instanceof Statement statement) {
                    statement.setQueryTimeout(LIMIT_SECONDS);
                }
                return created;
            });
        });
    }

    private interface Invocation {
        Object of(Method method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Invocation invocation) {
        return type.cast(Proxy.newProxyInstance(
                SqlitePoolTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return invocation.of(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static Set<Integer> timeLimits(DataSource pool) throws SQLException {
        Set<Integer> limits = new HashSet<>();
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Connection connection = pool.getConnection();
            all.add(connection);
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("PRAGMA busy_timeout")) {
                limits.add(row.getInt(1));
            }
        }
        for (Connection connection : all) {
            connection.close();
        }
        return limits;
    }
}
