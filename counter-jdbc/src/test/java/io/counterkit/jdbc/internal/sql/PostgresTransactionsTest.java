package io.counterkit.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CounterOverflowException;
import io.counterkit.CountersListener;
import io.counterkit.jdbc.server.KeptConnection;
import io.counterkit.jdbc.server.PostgresServer;
import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Call;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Durability and outcomes of a transaction, whatever the server's defaults and the data source do. */
class PostgresTransactionsTest {
    private static final String SETTING = "SELECT current_setting('synchronous_commit')";

    private final Call call = new Call(Duration.ofMinutes(1), CountersListener.disabled());

    @ParameterizedTest
    @CsvSource({"off, on", "on, on", "local, local", "remote_write, remote_write"})
    void commitIsOnDiskBeforeItIsAcknowledged(String setting, String effective) throws Exception {
        PGSimpleDataSource source = PostgresServer.shared();
        source.setOptions("-c synchronous_commit=" + setting);

        List<String> settings = new PostgresTransactions(source)
                .write(call, session -> session.query(SETTING, row -> row.getString(1)));

        assertThat(settings).containsExactly(effective);
        assertThat(new PostgresTransactions(source)
                        .<List<String>>writeOnce(call, session -> session.query(SETTING, row -> row.getString(1))))
                .containsExactly(effective);
    }

    /** The settings of one statement end with it, and those of the connection are kept. */
    @Test
    void errorOfAStatementThatTheServerSurvives_isNotApplied_andTheConnectionIsUsable() throws Exception {
        try (Connection kept = PostgresServer.shared().getConnection()) {
            PostgresTransactions transactions = new PostgresTransactions(KeptConnection.pool(kept));
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> transactions.writeOnce(call, session -> session.update("SELECT 1 / 0")))
                    .extracting(StoreFailure::outcome)
                    .isEqualTo(Failure.PERMANENT);
            assertThat(transactions.<List<String>>read(
                            call, session -> session.query(SETTING, row -> row.getString(1))))
                    .containsExactly("on");
        }
    }

    /** Each is a transaction of its own. */
    @Test
    void eachQueryOfARead_hasTimeLimits() throws Exception {
        String limit = "SELECT current_setting('statement_timeout')";
        List<String> limits = new PostgresTransactions(PostgresServer.shared()).read(call, session -> {
            List<String> both = new ArrayList<>(session.query(limit, row -> row.getString(1)));
            both.addAll(session.query(limit, row -> row.getString(1)));
            return both;
        });
        assertThat(limits).hasSize(2).doesNotContain("0");
    }

    /** So the server's answer, that nothing was applied, comes before the deadline. */
    @ParameterizedTest
    @CsvSource({"3600000, 3599500, 3599250", "1000, 875, 813"})
    void limits_endBeforeTheDeadline_thatOfALockFirst(long millis, long statement, long lock) throws Exception {
        Call limited = new Call(Duration.ofMillis(millis), CountersListener.disabled());
        List<Long> limits = new PostgresTransactions(PostgresServer.shared())
                .read(
                        limited,
                        session -> session.query(
                                "SELECT setting FROM pg_settings WHERE name IN ('lock_timeout', 'statement_timeout')"
                                        + " ORDER BY name",
                                row -> row.getLong(1)));
        assertThat(limits.get(0)).isBetween(1L, lock).isLessThan(limits.get(1));
        assertThat(limits.get(1)).isLessThanOrEqualTo(statement);
    }

    /** What is wrong is the counter. */
    @Test
    void readThatFailsBecauseOfACounter_keepsItsConnection() throws Exception {
        try (Connection kept = PostgresServer.shared().getConnection()) {
            PostgresTransactions transactions = new PostgresTransactions(KeptConnection.pool(kept));
            assertThatExceptionOfType(CounterOverflowException.class)
                    .isThrownBy(() -> transactions.read(call, session -> {
                        session.query(SETTING, row -> row.getString(1));
                        throw new CounterOverflowException("out of range");
                    }));
            assertThat(kept.isClosed()).isFalse();
            assertThat(kept.getNetworkTimeout()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT pg_terminate_backend(pg_backend_pid())", // the connection ends
                "DO $$ BEGIN RAISE EXCEPTION 'ambiguous' USING ERRCODE = '40003'; END $$",
                "DO $$ BEGIN RAISE EXCEPTION 'connection' USING ERRCODE = '08006'; END $$"
            })
    void errorThatMayComeAfterTheCommit_leavesTheOutcomeUnknown(String sql) {
        PostgresTransactions transactions = new PostgresTransactions(PostgresServer.shared());
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> transactions.writeOnce(call, session -> session.update(sql)))
                .extracting(StoreFailure::outcome)
                .isEqualTo(Failure.UNKNOWN);
    }

    /**
     * PostgreSQL 17 can notice the time limit of a transaction after the commit, and before its reply. Transactions
     * that notify wait for each other when they commit. A deferred constraint would refuse the next attempt too.
     */
    @ParameterizedTest
    @CsvSource({"25P04, UNKNOWN, false", "55P03, TRANSIENT, true", "23503, PERMANENT, false"})
    void errorOfACommit_leavesTheOutcomeOpenOrIsAConflict(String state, Failure outcome, boolean isConflict) {
        PostgresTransactions transactions = new PostgresTransactions(PostgresServer.shared());
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> transactions.write(call, session -> {
                    session.update("CREATE TEMPORARY TABLE late (x int)");
                    session.update("CREATE FUNCTION pg_temp.late() RETURNS trigger LANGUAGE plpgsql AS"
                            + " 'BEGIN RAISE EXCEPTION ''late'' USING ERRCODE = ''" + state + "''; END'");
                    session.update("CREATE CONSTRAINT TRIGGER late AFTER INSERT ON late INITIALLY DEFERRED"
                            + " FOR EACH ROW EXECUTE FUNCTION pg_temp.late()");
                    return session.update("INSERT INTO late VALUES (1)");
                }))
                .returns(outcome, StoreFailure::outcome)
                .returns(isConflict, StoreFailure::isConflict);
    }

    /** The server reports it when it commits. Filling the queue would take 8 GB. */
    @Test
    void fullQueueOfNotifications_isNotApplied_andTheNextAttemptMaySucceed() {
        PostgresTransactions transactions = new PostgresTransactions(PostgresServer.shared());
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> transactions.writeOnce(
                        call,
                        session -> session.update(
                                "DO $$ BEGIN RAISE EXCEPTION 'too many notifications in the NOTIFY queue'"
                                        + " USING ERRCODE = '54000'; END $$")))
                .withMessageStartingWith(
                        "the server's queue of notifications is full: end the transaction of the session")
                .extracting(StoreFailure::outcome)
                .isEqualTo(Failure.TRANSIENT);
    }

    /**
     * A pooler that shares sessions between transactions, like PgBouncer, loses the statements that the driver
     * prepared.
     */
    @Test
    void sessionThatHasLostItsPreparedStatements_namesTheWayOut() throws Exception {
        try (Connection kept = PostgresServer.shared().getConnection()) {
            PostgresTransactions transactions = new PostgresTransactions(KeptConnection.pool(kept));
            for (int i = 0; i < 10; i++) {
                transactions.<List<String>>read(call, session -> session.query(SETTING, row -> row.getString(1)));
            }
            try (Statement statement = kept.createStatement()) {
                statement.execute("DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$"); // the driver does not notice
            }
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> transactions.<List<String>>writeOnce(
                            call, session -> session.query(SETTING, row -> row.getString(1))))
                    .withMessageContaining("prepareThreshold=0")
                    .extracting(StoreFailure::outcome)
                    .isEqualTo(Failure.PERMANENT);
        }
    }

    @Test
    void uncheckedExceptionAtAStatement_leavesTheOutcomeUnknown() {
        PostgresTransactions transactions = new PostgresTransactions(throwing("prepareStatement", ""));
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() ->
                        transactions.writeOnce(call, session -> session.query(SETTING, row -> row.getString(1))))
                .extracting(StoreFailure::outcome)
                .isEqualTo(Failure.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"setAutoCommit", "close"})
    void uncheckedExceptionAfterTheCommit_changesNoOutcome(String method) throws Exception {
        DataSource source = throwing(method, "commit");

        assertThat(new PostgresTransactions(source)
                        .<List<String>>write(call, session -> session.query(SETTING, row -> row.getString(1))))
                .hasSize(1);
    }

    @Test
    void uncheckedExceptionAtTheCommit_leavesTheOutcomeUnknown() {
        PostgresTransactions transactions = new PostgresTransactions(throwing("commit", ""));

        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> transactions.write(call, session -> session.query(SETTING, row -> row.getString(1))))
                .extracting(StoreFailure::outcome)
                .isEqualTo(Failure.UNKNOWN);
    }

    /** Returns connections that throw from {@code method} once {@code after} was called, or always if it is empty. */
    private static DataSource throwing(String method, String after) {
        DataSource server = PostgresServer.shared();
        return proxy(DataSource.class, server, (name, result) -> {
            if (!name.equals("getConnection")) {
                return result;
            }
            boolean[] isArmed = {after.isEmpty()};
            return proxy(Connection.class, result, (called, value) -> {
                isArmed[0] |= called.equals(after);
                if (isArmed[0] && called.equals(method)) {
                    throw new IllegalStateException("thrown by the test");
                }
                return value;
            });
        });
    }

    private interface Reply {
        Object change(String method, Object result);
    }

    private static <T> T proxy(Class<T> type, Object original, Reply reply) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            try {
                return reply.change(method.getName(), method.invoke(original, args));
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        }));
    }
}
