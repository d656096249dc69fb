package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.Counters;
import io.counterkit.jdbc.server.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** An application that changes the search path of the connections of its pool, where each schema has the tables. */
class SearchPathTest {
    private final String prefix = PostgresFixture.unusedPrefix();
    private final String first = prefix + "first \"schema\"";
    private final String other = prefix + "other";
    private final PGSimpleDataSource server = PostgresServer.shared();

    @BeforeEach
    void createBoth() throws SQLException {
        for (String schema : new String[] {first, other}) {
            SchemaTest.execute(server, "CREATE SCHEMA " + quoted(schema));
            createTables(schema);
        }
    }

    private static String quoted(String schema) {
        return '"' + schema.replace("\"", "\"\"") + '"';
    }

    private void createTables(String schema) {
        PGSimpleDataSource source = PostgresServer.shared();
        source.setCurrentSchema(quoted(schema));
        JdbcCounterBackend.create(source, options()).close();
    }

    private JdbcCounterOptions options() {
        return JdbcCounterOptions.builder()
                .tablePrefix(prefix)
                .createTables(true)
                .build();
    }

    @AfterEach
    void drop() throws SQLException {
        SchemaTest.execute(server, "DROP SCHEMA " + quoted(first) + ", " + other + " CASCADE");
    }

    @Test
    void changes_areStoredWhereTheBackendWasCreated() throws SQLException {
        PGSimpleDataSource source = PostgresServer.shared();
        source.setCurrentSchema(quoted(first));
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcCounterBackend backend = JdbcCounterBackend.create(pool, options());
            try (Counters counters = Counters.over(backend)) {
                counters.counter("likes").add(1);
                setSearchPath(pool);
                counters.counter("likes").add(1);
                counters.sequence("orders").next();
                try (Connection connection = Shop.begin(pool)) {
                    JdbcTransaction tx = backend.within(connection);
                    tx.add("likes", 1);
                    tx.append("orders", Map.of());
                    connection.commit();
                }
                assertThat(counters.counter("likes").get()).isEqualTo(3);
                assertThat(counters.sequence("orders").last()).isEqualTo(2);
            }
        }
        assertThat(SchemaTest.number(server, "SELECT count(*) FROM " + other + "." + prefix + "counters"))
                .isZero();
    }

    private void setSearchPath(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path TO " + other);
        }
    }
}
