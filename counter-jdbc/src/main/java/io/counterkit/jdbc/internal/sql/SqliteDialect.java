package io.counterkit.jdbc.internal.sql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** SQLite in a file. One transaction writes at a time, in all processes together; reads wait for none. */
final class SqliteDialect implements Dialect {
    static final String PRODUCT = "SQLite";

    private static final int[] OLDEST = {3, 51, 3};
    private static final int WRITERS = 4;
    private static final int READERS = 2;

    /** How long the creation of the tables waits for other processes. */
    private static final int PATIENT_MILLIS = 10_000;

    private final Path file;

    private SqliteDialect(Path file) {
        this.file = file;
    }

    static SqliteDialect of(Connection connection, DatabaseMetaData database) throws SQLException {
        String version = database.getDatabaseProductVersion();
        int[] parts = Arrays.stream(version.split("\\.", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
        if (Arrays.compare(parts, OLDEST) < 0) {
            throw new IllegalArgumentException("the driver brings SQLite " + version
                    + ", which can corrupt a file with several writers: use sqlite-jdbc 3.51.3 or newer");
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA database_list")) {
            String file = row.next() ? row.getString("file") : null;
            if (file == null || file.isEmpty()) {
                throw new IllegalArgumentException(
                        "the data source leads to SQLite in memory: use a file, jdbc:sqlite:PATH");
            }
            return new SqliteDialect(Path.of(file));
        }
    }

    @Override
    public String schemaFile() {
        return "sqlite-1.sql";
    }

    @Override
    public String now() {
        return "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
    }

    @Override
    public String forUpdate() {
        return "";
    }

    @Override
    public String skipLocked() {
        return "";
    }

    @Override
    public String notification(String channel, String payload) {
        return "";
    }

    @Override
    public @Nullable Notifications notifications(DataSource source) {
        return null;
    }

    @Override
    public int addsInFlight() {
        return 1;
    }

    @Override
    public int writers(int connections) {
        return WRITERS;
    }

    @Override
    public int readers(int connections) {
        return READERS;
    }

    @Override
    public boolean hasOneWriter() {
        return true;
    }

    @Override
    public String product() {
        return PRODUCT;
    }

    @Override
    public Transactions transactions(DataSource source) {
        return new SqliteTransactions(source, file);
    }

    @Override
    public void createTables(Connection connection, Schema schema) throws SQLException {
        int busyTimeout = SqliteSession.get(connection, SqliteSession.BUSY_TIMEOUT);
        try (Statement statement = connection.createStatement()) {
            SqliteSession.configure(connection);
            SqliteSession.set(connection, SqliteSession.BUSY_TIMEOUT, PATIENT_MILLIS);
            statement.execute("BEGIN IMMEDIATE");
            try {
                for (String sql : schema.statements(schemaFile())) {
                    statement.execute(sql);
                }
                statement.execute("COMMIT");
            } catch (SQLException e) {
                statement.execute("ROLLBACK");
                throw e;
            }
        } finally {
            SqliteSession.set(connection, SqliteSession.BUSY_TIMEOUT, busyTimeout);
        }
    }

    /** The code, 1, is that of any wrong statement. */
    @Override
    public boolean isTableMissing(SQLException e) {
        return String.valueOf(e.getMessage()).contains("no such table");
    }
}
