package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.jdbc.server.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A disk without space: nothing acknowledged is lost, and what failed can be repeated when there is space again. */
class FullDiskTest {
    private static final int MOST_PAGES = 60;
    private static final int MOST_ATTEMPTS = 10;
    private static final JdbcCounterOptions TABLES =
            JdbcCounterOptions.builder().createTables(true).build();
    private static final CountersOptions HASTY =
            CountersOptions.builder().deadline(Duration.ofSeconds(2)).build();

    @TempDir
    Path directory;

    /** SQLite answers as on a full disk when its file may not grow. */
    private Counters open(int mostPages) {
        SQLiteConfig config = new SQLiteConfig();
        config.setMaxPageCount(mostPages);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + directory.resolve("counters.db"));
        return Counters.over(JdbcCounterBackend.create(source, TABLES), HASTY);
    }

    @Test
    void sqlite_keepsWhatWasAcknowledged() throws SQLException {
        IdempotencyToken refused = IdempotencyToken.random();
        long last = 0;
        try (Counters counters = open(MOST_PAGES)) {
            counters.counter("likes").add(5);
            AtomicLong appended = new AtomicLong();
            CounterException failure = knownFailure(() -> {
                while (true) {
                    appended.set(counters.sequence("orders")
                            .append(Map.of("bytes", new byte[30_000]))
                            .number());
                }
            });
            last = appended.get();
            assertThat(failure).isInstanceOf(NotAppliedException.class).hasMessageContaining("the disk is full");
            assertThat(knownFailure(
                            () -> counters.sequence("orders").append(Map.of("bytes", new byte[30_000]), refused)))
                    .isInstanceOf(NotAppliedException.class);
            assertThat(counters.sequence("orders").last()).isEqualTo(last);
            assertThat(counters.counter("likes").get()).isEqualTo(5);
        }
        assertThat(last).isPositive();
        try (Counters counters = open(1_000)) {
            assertThat(counters.sequence("orders").read(1, last)).hasSize((int) last);
            assertThat(counters.sequence("orders").append(Map.of(), refused).number())
                    .isEqualTo(last + 1);
            assertThat(counters.counter("likes").get()).isEqualTo(5);
        }
        assertThat(SchemaTest.text(SqliteFixture.file(directory.resolve("counters.db")), "PRAGMA quick_check"))
                .isEqualTo("ok");
    }

    /** PostgreSQL's error at a statement, which the server survives: it has ended the transaction. */
    @Test
    void postgres_statementThatFindsNoSpace_isNotApplied() {
        Disk disk = new Disk("execute");
        String name = "test-" + UUID.randomUUID();
        try (Counters counters = Counters.over(JdbcCounterBackend.create(disk.source(), TABLES), HASTY)) {
            disk.isFull = true;
            assertThat(knownFailure(() -> counters.counter(name).add(1)))
                    .isInstanceOf(NotAppliedException.class)
                    .hasMessageContaining("No space left on device");
            CompletableFuture<Long> number = counters.sequence(name).async().next();
            disk.isFull = false;
            assertThat(number.join()).isEqualTo(1); // retried meanwhile
            assertThat(counters.counter(name).get()).isZero();
        }
    }

    /** Repeats a change until its outcome is known: the deadline may pass during its last attempt. */
    private static CounterException knownFailure(Runnable change) {
        for (int attempt = 1; ; attempt++) {
            try {
                change.run();
                throw new AssertionError("the change returned although the disk is full");
            } catch (OutcomeUnknownException e) {
                assertThat(attempt).as("attempts; the last failure: %s", e).isLessThan(MOST_ATTEMPTS);
            } catch (CounterException e) {
                return e;
            }
        }
    }

    /** The same error at the commit may hide a commit, so that the token decides. */
    @Test
    void postgres_commitThatFindsNoSpace_isDecidedByItsToken() {
        Disk disk = new Disk("commit");
        String name = "test-" + UUID.randomUUID();
        try (Counters counters = Counters.over(JdbcCounterBackend.create(disk.source(), TABLES), HASTY)) {
            counters.counter(name).add(5);
            disk.isFull = true;
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .isThrownBy(() -> counters.counter(name).reset())
                    .satisfies(e -> {
                        disk.isFull = false;
                        // An attempt that was in flight at the deadline may commit now, before the token is decided.
                        boolean isApplied = !counters.resolve(e.token()).equals(new Resolution.NotApplied());
                        assertThat(counters.counter(name).get()).isEqualTo(isApplied ? 0 : 5);
                    });
        }
    }

    /** Connections to the server, on which one method fails while the disk is full. */
    private static final class Disk {
        private final String method;
        private volatile boolean isFull;

        Disk(String method) {
            this.method = method;
        }

        DataSource source() {
            return proxy(DataSource.class, PostgresServer.shared());
        }

        private <T> T proxy(Class<T> type, Object original) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, called, args) -> {
                        if (isFull && called.getName().equals(method)) {
                            if (original instanceof Connection connection) {
                                connection.rollback();
                            }
                            throw new SQLException("ERROR: could not extend file: No space left on device", "53100");
                        }
                        try {
                            Object result = called.invoke(original, args);
                            if (result instanceof Connection connection) {
                                return proxy(Connection.class, connection);
                            }
                            return result instanceof PreparedStatement statement
                                    ? proxy(PreparedStatement.class, statement)
                                    : result;
                        } catch (InvocationTargetException e) {
                            throw e.getTargetException();
                        }
                    }));
        }
    }
}
