package io.counterkit.jdbc.internal.sql;

import io.counterkit.jdbc.internal.notification.Notifications;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
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

    private final SqliteFile file;

    private SqliteDialect(SqliteFile file) {
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
        SqliteSettings.check(connection);
        return new SqliteDialect(SqliteFile.of(connection));
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
    public boolean hasSchemas() {
        return false;
    }

    @Override
    public String product() {
        return PRODUCT;
    }

    @Override
    public Transactions transactions(DataSource source) {
        return new SqliteTransactions(source, file);
    }

    /** Names the file: tables of the same name that are temporary, or in an attached file, are others. */
    @Override
    public Schema found(Connection connection, Schema schema) {
        return new Schema("main", schema.prefix());
    }

    @Override
    public void createTables(Connection connection, Schema schema) throws SQLException {
        SqliteSettings.Original original = SqliteSettings.Original.of(connection);
        try (Statement statement = connection.createStatement()) {
            SqliteSettings.configure(connection);
            SqliteSettings.set(connection, SqliteSettings.BUSY_TIMEOUT, PATIENT_MILLIS);
            statement.execute("BEGIN IMMEDIATE");
            try {
                for (String sql : schema.statements(schemaFile())) {
                    statement.execute(sql);
                }
                statement.execute("COMMIT");
            } catch (SQLException e) {
                SqliteSession.within(connection).tryRollBack();
                throw e;
            }
        } finally {
            original.restore(connection);
        }
    }

    /** The code, 1, is that of any wrong statement. */
    @Override
    public boolean isTableMissing(SQLException e) {
        return String.valueOf(e.getMessage()).contains("no such table");
    }
}
