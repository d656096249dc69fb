package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.server.PostgresServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** Settings of the data source and locks of others, with which a backend must not start. */
class PostgresSettingsTest {
    /** More than the driver executes before it prepares a statement on the server. */
    private static final int USES = 10;

    private final String prefix = PostgresFixture.unusedPrefix();
    private final PGSimpleDataSource server = PostgresServer.shared();
    private final JdbcCounterOptions options =
            JdbcCounterOptions.builder().tablePrefix(prefix).createTables(true).build();

    /** Sent by itself, a statement would have neither its time limits nor its durability. */
    @ParameterizedTest
    @CsvSource({"preferQueryMode, simple", "prepareThreshold, -1"})
    void driverThatCannotSendStatementsTogether_isRefused(String setting, String value) throws SQLException {
        server.setProperty(setting, value);
        HikariConfig config = new HikariConfig();
        config.setDataSource(server);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JdbcCounterBackend.create(pool, options))
                    .withMessage("the data source sets " + setting + "=" + value
                            + ", with which the driver cannot send statements"
                            + " together: remove it; behind a pooler, set prepareThreshold=0");
        }
    }

    /**
     * The driver then asks the server for the results of a statement, and waits for them before it sends another one if
     * they may be long.
     */
    @Test
    void driverThatLeavesTheTypesOfTextsOpen_sendsChangesWithTheirLimits() throws SQLException {
        JdbcCounterBackend.create(server, options).close();
        String seen = prefix + "seen";
        SchemaTest.execute(server, "CREATE TABLE " + seen + " (lock_timeout text, durability text)");
        SchemaTest.execute(
                server,
                "CREATE FUNCTION " + seen + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO " + seen
                        + " VALUES (current_setting('lock_timeout'), current_setting('synchronous_commit')); RETURN NEW;"
                        + " END $$");
        SchemaTest.execute(
                server,
                "CREATE TRIGGER seen BEFORE INSERT ON " + prefix + "tokens FOR EACH ROW EXECUTE FUNCTION " + seen
                        + "()");
        server.setProperty("stringtype", "unspecified");
        server.setOptions("-c synchronous_commit=off");
        HikariConfig config = new HikariConfig();
        config.setDataSource(server);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config);
                Counters counters = Counters.over(JdbcCounterBackend.create(pool, options))) {
            for (int i = 1; i <= USES; i++) {
                counters.counter("likes").increment();
                assertThat(counters.sequence("orders").next()).isEqualTo(i);
            }
            assertThat(counters.counter("likes").get()).isEqualTo(USES);
        }
        assertThat(SchemaTest.number(server, "SELECT count(*) FROM " + seen)).isEqualTo(2L * USES);
        assertThat(SchemaTest.number(
                        server, "SELECT count(*) FROM " + seen + " WHERE lock_timeout = '0' OR durability = 'off'"))
                .as("changes without limits")
                .isZero();
    }

    /** Another client's statement of the same name could be executed instead. */
    @Test
    void poolerWithStatementsThatTheDriverPrepares_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(behindAPooler(), options))
                .withMessage("the data source leads to a pooler, which may confuse the statements that the driver"
                        + " prepares: set prepareThreshold=0 in the URL of the driver");
        server.setPrepareThreshold(0);
        JdbcCounterBackend.create(behindAPooler(), options).close();
    }

    /**
     * PgBouncer in its statement mode sends single statements, such as most adds, and refuses transactions, such as the
     * first append to a sequence.
     */
    @Test
    void poolerWithoutTransactions_isRefused() {
        server.setPrepareThreshold(0);
        JdbcCounterBackend.create(server, options).close();
        SQLException refusal =
                new SQLException("FATAL: transaction blocks not allowed in statement pooling mode", "08P01");
        DataSource pooler = proxy(
                DataSource.class,
                behindAPooler(),
                "getConnection",
                connection -> proxy(
                        Connection.class,
                        connection,
                        "createStatement",
                        statement -> refusing(Statement.class, statement, "BEGIN", refusal)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(pooler, options))
                .withMessage(
                        "the data source leads to a pooler without transactions: set its pool mode to transaction or"
                                + " session: " + refusal.getMessage());
    }

    /** Returns {@code original}, whose methods throw {@code failure} for one argument. */
    private <T> T refusing(Class<T> type, Object original, String argument, SQLException failure) {
        return type.cast(
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, (proxy, called, args) -> {
                    if (args != null && argument.equals(args[0])) {
                        throw failure;
                    }
                    return called.invoke(original, args);
                }));
    }

    /** Returns connections whose process number is not that of the server. */
    private DataSource behindAPooler() {
        return proxy(
                DataSource.class,
                server,
                "getConnection",
                connection -> proxy(
                        Connection.class,
                        connection,
                        "unwrap",
                        driver -> proxy(PGConnection.class, driver, "getBackendPID", process -> 0)));
    }

    /** Returns {@code original} with another result of one method. */
    private <T> T proxy(Class<T> type, Object original, String method, UnaryOperator<Object> result) {
        return type.cast(
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, (proxy, called, args) -> {
                    Object own = called.invoke(original, args);
                    return called.getName().equals(method) ? result.apply(own) : own;
                }));
    }

    @Test
    void schemaThatDoesNotExist_isNamedAsTheCause() {
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> JdbcCounterBackend.create(
                        server,
                        JdbcCounterOptions.builder()
                                .schema(prefix + "none")
                                .createTables(true)
                                .build()))
                .withMessageStartingWith("the database cannot be used: the schema for the tables does not exist: create"
                        + " it, or correct the option schema or the search path: ERROR");
    }

    @Test
    void userWhoseTransactionsOnlyRead_isNamedAsACause() {
        JdbcCounterBackend.create(server, options).close();
        server.setOptions("-c default_transaction_read_only=on");
        CountersOptions hasty =
                CountersOptions.builder().deadline(Duration.ofSeconds(3)).build();
        try (Counters counters = Counters.over(JdbcCounterBackend.create(server, options), hasty)) {
            assertThatExceptionOfType(CounterException.class)
                    .isThrownBy(() -> counters.counter("likes").increment())
                    .withMessageContaining("if the user, the database or the pool is set to read only, change that");
        }
    }

    /** After a failover, the connections of a pool that lead to a standby are not used again. */
    @ParameterizedTest
    @ValueSource(strings = {"add", "reset", "transact"})
    void connectionThatOnlyReads_isReplacedByAnother(String change) {
        JdbcCounterBackend.create(server, options).close();
        HikariConfig config = new HikariConfig();
        config.setDataSource(server);
        config.setMaximumPoolSize(1);
        server.setOptions("-c default_transaction_read_only=on");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcCounterBackend backend = JdbcCounterBackend.create(pool, options);
            server.setOptions("");
            try (Counters counters = Counters.over(backend)) {
                switch (change) {
                    case "add" -> counters.counter("likes").increment();
                    case "reset" -> counters.counter("likes").reset();
                    default -> backend.transact(IdempotencyToken.random(), tx -> tx.add("likes", 1));
                }
            }
        }
    }

    /** A migration tool locks the tables, or a process hangs while it creates others. */
    @Test
    @Tag("exhaustive")
    void lockThatIsKept_endsTheStart() throws SQLException {
        JdbcCounterBackend.create(server, options).close();
        String other = PostgresFixture.unusedPrefix();
        try (Connection connection = Shop.begin(server);
                Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLE " + prefix + "version IN ACCESS EXCLUSIVE MODE");
            statement.execute("CREATE TABLE " + other + "counters (name text)");
            List<CompletableFuture<?>> starts = List.of(
                    start(options),
                    start(JdbcCounterOptions.builder()
                            .tablePrefix(other)
                            .createTables(true)
                            .build()));
            for (CompletableFuture<?> start : starts) {
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(() -> start.get(2, TimeUnit.MINUTES))
                        .withCauseInstanceOf(NotAppliedException.class)
                        .withMessageContaining("other transactions kept their locks");
            }
            connection.rollback();
        }
        JdbcCounterBackend.create(server, options).close();
    }

    private CompletableFuture<?> start(JdbcCounterOptions chosen) {
        return CompletableFuture.runAsync(
                () -> JdbcCounterBackend.create(server, chosen).close(), creation -> new Thread(creation).start());
    }
}
