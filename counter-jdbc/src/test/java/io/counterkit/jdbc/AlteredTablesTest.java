package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.server.PostgresServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables of PostgreSQL that an administrator alters while the application uses them. */
class AlteredTablesTest {
    /** More than the driver executes before it prepares a statement on the server. */
    private static final int USES = 10;

    private final String prefix = PostgresFixture.unusedPrefix();
    private final DataSource server = PostgresServer.shared();
    private final JdbcCounterOptions options = JdbcCounterOptions.builder()
            .tablePrefix(prefix)
            .createTables(true)
            .connections(1)
            .build();

    @Test
    void columnWhoseTypeChangesWhileStatementsArePrepared_failsNoCall() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcCounterBackend backend = JdbcCounterBackend.create(pool, options);
            try (Counters counters = Counters.over(backend)) {
                for (int i = 1; i <= USES; i++) {
                    useAll(counters, backend, i);
                }
                for (String column : List.of(
                        "tokens ALTER token",
                        "counters ALTER name",
                        "sequences ALTER name",
                        "subjects ALTER subject")) {
                    SchemaTest.execute(server, "ALTER TABLE " + prefix + column + " TYPE varchar(500) COLLATE \"C\"");
                }
                SchemaTest.execute(server, "ALTER TABLE " + prefix + "sequences ALTER last TYPE numeric");
                useAll(counters, backend, USES + 1);
            }
        }
    }

    private static void useAll(Counters counters, JdbcCounterBackend backend, int round) {
        counters.counter("likes").add(1, IdempotencyToken.random());
        assertThat(counters.counter("likes").get()).isEqualTo(2L * round - 1);
        assertThat(counters.sequence("orders").next()).isEqualTo(3L * round - 2);
        counters.sequence("orders").append(Change.ADDED, "subject " + UUID.randomUUID(), Map.of());
        assertThat(counters.sequence("orders").last()).isEqualTo(3L * round - 1);
        backend.transact(IdempotencyToken.random(), tx -> {
            tx.append("orders", Map.of());
            tx.add("likes", 1);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ALTER TABLE $counters DROP CONSTRAINT $counters_pkey | a table lacks its primary key: ERROR:
                    CREATE RULE r AS ON INSERT TO $counters DO INSTEAD NOTHING | a table has rules; remove them: ERROR:
                    CREATE RULE r AS ON UPDATE TO $tokens DO INSTEAD NOTHING | a table has rules; remove them: ERROR:
                    """)
    void tableThatCannotBeUsed_isReported(String statement, String cause) throws SQLException {
        try (Counters counters = Counters.over(JdbcCounterBackend.create(server, options))) {
            SchemaTest.execute(server, statement.replace("$", prefix));
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> counters.counter("likes").increment())
                    .withMessageStartingWith("adding to 'likes' failed: " + cause);
        }
    }

    @Test
    void ruleOfASequence_isReported() throws SQLException {
        try (Counters counters = Counters.over(JdbcCounterBackend.create(server, options))) {
            counters.sequence("orders").next();
            SchemaTest.execute(
                    server,
                    "CREATE RULE r AS ON UPDATE TO " + prefix + "sequences DO ALSO DELETE FROM " + prefix + "version");
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> counters.sequence("orders").next())
                    .withMessageStartingWith("appending to 'orders' failed: a table has rules; remove them: ERROR:");
        }
    }

    /** A crash of the server would empty it: numbers would be assigned twice. */
    @Test
    void unloggedTable_isRefused() throws SQLException {
        JdbcCounterBackend.create(server, options).close();
        SchemaTest.execute(server, "ALTER TABLE " + prefix + "sequences SET UNLOGGED");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(server, options))
                .withMessage(
                        "the table '" + prefix + "sequences' is unlogged or temporary, so that a crash of the server"
                                + " empties it: ALTER TABLE " + prefix + "sequences SET LOGGED");
        SchemaTest.execute(server, "ALTER TABLE " + prefix + "sequences SET LOGGED");
        JdbcCounterBackend.create(server, options).close();
    }

    /** The table itself is permanent. */
    @Test
    void unloggedPartition_isRefused() throws SQLException {
        JdbcCounterBackend.create(server, options).close();
        String table = prefix + "imports";
        SchemaTest.execute(server, "ALTER TABLE " + table + " RENAME TO " + table + "_old");
        SchemaTest.execute(
                server, "CREATE TABLE " + table + " (LIKE " + table + "_old INCLUDING ALL) PARTITION BY HASH (kind)");
        String part = table + "_part";
        SchemaTest.execute(
                server,
                "CREATE UNLOGGED TABLE " + part + " PARTITION OF " + table
                        + " FOR VALUES WITH (MODULUS 1, REMAINDER 0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(server, options))
                .withMessageStartingWith("the table '" + part + "' is unlogged or temporary");
        SchemaTest.execute(server, "ALTER TABLE " + part + " SET LOGGED");
        JdbcCounterBackend.create(server, options).close();
    }
}
