package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/**
 * A transaction of the application on SQLite: its state that the driver does not know, and what else its connection
 * has.
 */
class SqliteTransactionTest {
    private static final JdbcCounterOptions OPTIONS =
            JdbcCounterOptions.builder().createTables(true).build();

    private static final String ENDED = "the transaction has ended: SQLite rolls it back after some errors";

    @TempDir
    Path directory;

    private SQLiteDataSource file() {
        return SqliteFixture.file(directory.resolve("counters.db"));
    }

    /**
     * SQLite rolls the whole transaction back, as it does on a full disk, and the application continues with its next
     * row.
     */
    private static void fail(Connection connection) {
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> execute(connection, "INSERT OR ROLLBACK INTO shop VALUES (1)"));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void createShop() throws SQLException {
        SchemaTest.execute(file(), "CREATE TABLE shop (number INTEGER PRIMARY KEY)");
        SchemaTest.execute(file(), "INSERT INTO shop VALUES (1)");
    }

    @Test
    void transactionThatSqliteHasEnded_refusesChangesThatWouldBeCommittedAlone() throws SQLException {
        createShop();
        JdbcCounterBackend backend = JdbcCounterBackend.create(file(), OPTIONS);
        try (Counters counters = Counters.over(backend);
                Connection connection = Shop.begin(file())) {
            JdbcTransaction tx = backend.within(connection, IdempotencyToken.random());
            tx.add("likes", 1);
            fail(connection);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> tx.add("likes", 10))
                    .withMessageContaining(ENDED);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> tx.append("orders", Map.of()))
                    .withMessageContaining(ENDED);
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> backend.within(connection))
                    .withMessageContaining(ENDED);
            assertThat(counters.counter("likes").get()).isZero();
            assertThat(counters.sequence("orders").last()).isZero();
        }
    }

    @Test
    void retriedTransactionThatSqliteHasEnded_isNotApplied() throws SQLException {
        createShop();
        HikariConfig config = new HikariConfig();
        config.setDataSource(file());
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcCounterBackend backend = JdbcCounterBackend.create(pool, OPTIONS);
            try (Counters counters = Counters.over(backend)) {
                assertThatExceptionOfType(NotAppliedException.class)
                        .isThrownBy(() -> backend.transact(IdempotencyToken.random(), tx -> {
                            tx.add("likes", 1);
                            fail(tx.connection());
                            tx.add("likes", 10);
                        }))
                        .withMessageContaining(ENDED);
                assertThat(counters.counter("likes").get()).isZero();
                try (Connection connection = pool.getConnection()) {
                    assertThat(connection.getAutoCommit()).isTrue();
                }
            }
        }
    }

    /** SQLite looks for temporary tables first: the add would be lost with the connection. */
    @Test
    void temporaryTableOfTheSameName_isNotChanged() throws SQLException {
        JdbcCounterBackend backend = JdbcCounterBackend.create(file(), OPTIONS);
        try (Counters counters = Counters.over(backend);
                Connection connection = Shop.begin(file())) {
            execute(connection, "CREATE TEMP TABLE counterkit_counters AS SELECT * FROM counterkit_counters");
            execute(connection, "CREATE UNIQUE INDEX temp.own ON counterkit_counters (name)");
            backend.within(connection).add("likes", 5);
            connection.commit();
            assertThat(counters.counter("likes").get()).isEqualTo(5);
        }
    }

    /** A commit that a deferred constraint refuses has stored nothing, and would be refused again. */
    @Test
    void changeWhoseCommitAConstraintRefuses_isNotApplied() throws SQLException {
        SQLiteDataSource strict = file();
        strict.setEnforceForeignKeys(true);
        try (Counters counters = Counters.over(JdbcCounterBackend.create(strict, OPTIONS))) {
            counters.counter("likes").increment();
            SchemaTest.execute(
                    strict,
                    "CREATE TABLE shown (name REFERENCES counterkit_counters (name) DEFERRABLE INITIALLY DEFERRED)");
            SchemaTest.execute(strict, "INSERT INTO shown VALUES ('likes')");
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> counters.counter("likes").delete())
                    .withMessageStartingWith("deleting 'likes' failed: the commit was refused: ");
            assertThat(counters.counter("likes").get()).isEqualTo(1);
        }
    }
}
