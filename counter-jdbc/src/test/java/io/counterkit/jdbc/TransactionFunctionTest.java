package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.ContentionException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.SchemaTest.Store;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the function of a transaction must not do. */
@ParameterizedClass
@EnumSource
class TransactionFunctionTest {
    /** More than SQLite's backend keeps. */
    private static final int CONNECTIONS = 8;

    @Parameter
    private Store store = Store.SQLITE;

    @TempDir
    Path directory;

    private final IdempotencyToken token = IdempotencyToken.random();
    private Shop shop;
    private HikariDataSource pool;
    private JdbcCounterBackend backend;
    private Counters counters;

    @BeforeEach
    void open() throws SQLException {
        shop = new Shop(store, directory);
        HikariConfig config = new HikariConfig();
        config.setDataSource(shop.source);
        config.setMaximumPoolSize(CONNECTIONS);
        pool = new HikariDataSource(config);
        backend = JdbcCounterBackend.create(pool);
        counters = Counters.over(
                backend,
                CountersOptions.builder().deadline(Duration.ofSeconds(5)).build());
    }

    @AfterEach
    void close() {
        counters.close();
        pool.close();
        shop.backend.close();
    }

    /** Its wait for itself would only be repeated. */
    @Test
    void changeThroughCounters_endsWithTheirExceptionThatNamesTheCause() {
        AtomicInteger runs = new AtomicInteger();
        assertThatExceptionOfType(ContentionException.class)
                .isThrownBy(() -> backend.transact(token, tx -> {
                    runs.incrementAndGet();
                    tx.add(shop.name, 1);
                    counters.counter(shop.name).add(1);
                }))
                .withMessageStartingWith("adding to '" + shop.name + "' failed: ")
                .withMessageContaining("perhaps an open transaction of this program has");
        assertThat(runs).hasValue(1);
        assertThat(counters.counter(shop.name).get()).isZero();
    }

    /** A connection that returns to its pool in a transaction would take the next changes of the application with it. */
    @Test
    void autocommitThatIsTurnedOn_isRefusedAndLeavesNoTransactionOpen() throws SQLException {
        assertThatIllegalStateException()
                .isThrownBy(() -> backend.transact(token, tx -> {
                    try (Statement statement = tx.connection().createStatement()) {
                        statement.getConnection().setAutoCommit(true); // not through the connection of the function
                    }
                }));
        for (int i = 0; i < CONNECTIONS; i++) {
            SchemaTest.execute(pool, "INSERT INTO " + shop.table + " VALUES (1)");
        }
        assertThat(shop.orders()).isEqualTo(CONNECTIONS);
        counters.counter(shop.name).increment();
    }

    @Test
    void connection_equalsOnlyItself() {
        backend.transact(
                token,
                tx -> assertThat(tx.connection()).isEqualTo(tx.connection()).isNotEqualTo(pool));
    }

    /** A commit would apply a part of the changes, and a repetition with the token would not run the rest. */
    @ParameterizedTest
    @ValueSource(strings = {"commit", "rollback", "setAutoCommit"})
    void endOfTheTransaction_isRefusedAndChangesNothing(String end) throws SQLException {
        assertThatIllegalStateException()
                .isThrownBy(() -> backend.transact(token, tx -> {
                    tx.add(shop.name, 1);
                    switch (end) {
                        case "commit" -> tx.connection().commit();
                        case "rollback" -> tx.connection().rollback();
                        default -> tx.connection().setAutoCommit(true);
                    }
                    tx.add(shop.name, 10);
                }))
                .withMessage(end + " in the function of transact: the backend ends the transaction after the"
                        + " function; to roll back, throw an exception");
        assertThat(counters.counter(shop.name).get()).isZero();
        assertThat(backend.transact(token, shop::order).isRepeated()).isFalse();
        assertThat(shop.orders()).isEqualTo(1);
    }

    /** A part of the changes is applied, and a repetition with the token would not run the rest. */
    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "COMMIT; BEGIN", "ROLLBACK", "ROLLBACK; BEGIN"})
    void statementThatEndsTheTransaction_isReportedWhenTheFunctionReturns(String statements) {
        assertThatIllegalStateException()
                .isThrownBy(() -> backend.transact(token, tx -> {
                    tx.add(shop.name, 1);
                    execute(tx, statements);
                    shop.insert(tx.connection(), 1);
                }))
                .withMessageContaining("the function must execute neither COMMIT nor ROLLBACK");
        assertThat(counters.counter(shop.name).get()).isEqualTo(statements.startsWith("COMMIT") ? 1 : 0);
        assertNoTransactionIsOpen();
    }

    /** The changes after the statement are not stored. */
    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "COMMIT; BEGIN"})
    void statementThatCommits_isReportedAfterFurtherChanges(String statements) {
        assertThatIllegalStateException()
                .isThrownBy(() -> backend.transact(token, tx -> {
                    tx.add(shop.name, 1);
                    execute(tx, statements);
                    tx.add(shop.name, 10);
                    tx.append(shop.name, Map.of());
                }))
                .withMessageContaining("the function must execute neither COMMIT nor ROLLBACK");
        assertThat(counters.counter(shop.name).get()).isEqualTo(1);
        assertThat(counters.sequence(shop.name).last()).isZero();
        assertNoTransactionIsOpen();
    }

    private static void execute(JdbcTransaction tx, String statements) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            for (String each : statements.split("; ", -1)) {
                statement.execute(each);
            }
        }
    }

    private void assertNoTransactionIsOpen() {
        for (int i = 0; i < CONNECTIONS; i++) {
            backend.transact(IdempotencyToken.random(), tx -> tx.add(shop.name, 0));
        }
        counters.counter(shop.name).increment();
    }

    @Test
    void connectionThatIsClosed_changesNothing() {
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> backend.transact(token, tx -> {
                    tx.add(shop.name, 1);
                    tx.connection().close();
                }))
                .withMessageContaining("closed");
        assertThat(counters.counter(shop.name).get()).isZero();
        assertThat(counters.resolve(token).applied()).isFalse();
    }
}
