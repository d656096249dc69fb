package io.counterkit.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.jdbc.server.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** A purge of tokens reads the expired ones, and not those that are remembered. */
class ExpiredTokensPlanTest {
    private static final int REMEMBERED = 1_000;

    @TempDir
    Path directory;

    @Test
    void postgresql_readsExpiredTokensOnly() throws Exception {
        Schema schema = new Schema(
                null, "t" + UUID.randomUUID().toString().replace("-", "").substring(0, 20) + "_");
        try (Connection connection = PostgresServer.shared().getConnection()) {
            Statements statements = tables(connection, schema);
            execute(
                    connection,
                    "INSERT INTO " + schema.table("tokens") + " SELECT i::text, 'never', '', 0, NULL,"
                            + " (extract(epoch FROM now()) * 1000)::bigint + 3600000 FROM generate_series(1, "
                            + REMEMBERED
                            + ") i");
            execute(connection, "SET enable_seqscan = off");

            assertThat(plan(connection, "EXPLAIN ANALYZE " + statements.deleteExpiredTokens()))
                    .contains("Index Cond: (expires <")
                    .doesNotContain("Rows Removed by Filter");
        }
    }

    @Test
    void sqlite_readsExpiredTokensOnly() throws Exception {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("counters.db"));
        try (Connection connection = source.getConnection()) {
            Statements statements = tables(connection, new Schema(null, "counterkit_"));

            assertThat(plan(connection, "EXPLAIN QUERY PLAN " + statements.deleteExpiredTokens()))
                    .contains("counterkit_tokens_expires (expires<?)");
        }
    }

    private static Statements tables(Connection connection, Schema schema) throws SQLException {
        Dialect dialect = Dialect.of(connection);
        return new Statements(dialect, Tables.check(connection, dialect, schema, true), Duration.ofHours(24), false);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns each column of each line. */
    private static String plan(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, 500);
            StringBuilder plan = new StringBuilder();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                        plan.append(rows.getString(column)).append('\n');
                    }
                }
            }
            return plan.toString();
        }
    }
}
