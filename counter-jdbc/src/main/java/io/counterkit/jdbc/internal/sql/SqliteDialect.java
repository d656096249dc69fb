package io.counterkit.jdbc.internal.sql;

import io.counterkit.jdbc.internal.notification.Notifications;
import io.counterkit.spi.BlockingCalls.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Objects;
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

    private final DatabaseFile file;

    private SqliteDialect(DatabaseFile file) {
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
        return new SqliteDialect(DatabaseFile.of(connection));
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

    /** The file of a SQLite database, as it was when the backend was created. Thread-safe. */
    static final class DatabaseFile {
        private static final String MISSING = "missing";

        private final Path path;
        private final Path logPath;
        private final Path indexPath;

        /** Identifies the file that {@link #path} named at first; null where the file system has no such keys. */
        private final @Nullable Object key;

        /** Whether the log was deleted: a connection that is opened later would use another one. */
        private volatile boolean isLogLost;

        private DatabaseFile(Path path) {
            this.path = path;
            this.logPath = Path.of(path + "-wal");
            this.indexPath = Path.of(path + "-shm");
            this.key = key(path);
        }

        /** Returns the file of a connection. */
        static DatabaseFile of(Connection connection) throws SQLException {
            String path = pathOf(connection);
            if (path.isEmpty()) {
                throw new IllegalArgumentException(
                        "the data source leads to SQLite in memory: use a file, jdbc:sqlite:PATH");
            }
            SqliteSettings.checkHasOneName(Path.of(path));
            return new DatabaseFile(Path.of(path));
        }

        /** Returns the absolute path of a connection's file, without symbolic links; empty if there is none. */
        private static String pathOf(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("PRAGMA database_list")) {
                String path = row.next() ? row.getString("file") : null;
                return path == null ? "" : path;
            }
        }

        private static @Nullable Object key(Path path) {
            try {
                return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            } catch (IOException e) {
                return MISSING;
            }
        }

        /**
         * Checks that the file exists, and that its log was not lost. SQLite continues to write to a deleted file, and these
         * changes would be lost. A new connection would create an empty file, and delete the log of the missing one, which has
         * commits.
         */
        void check() throws StoreFailure {
            if (!Objects.equals(key(path), key)) {
                throw failure(
                        "the file " + path + " was deleted or replaced while it was open: put it back, or restart");
            }
            if (isLogLost) {
                throw failure("the file " + logPath + " or " + indexPath
                        + " was deleted or replaced while it was open: restart all processes");
            }
        }

        /** The keys of the log and of its index. */
        record Log(@Nullable Object log, @Nullable Object index) {}

        /** Returns the log, which exists while a connection is open; null if there is none, as without shared memory. */
        @Nullable Log log() {
            Log found = new Log(key(logPath), key(indexPath));
            return MISSING.equals(found.log) || MISSING.equals(found.index) ? null : found;
        }

        /**
         * Checks that an open connection still has the log of the file. In a deleted log, commits are hidden from other
         * processes, and lost with this one.
         */
        void checkIsLogOf(SqliteSession session) throws StoreFailure {
            if (session.log != null && !session.log.equals(log())) {
                check(); // all files may have been moved together
                isLogLost = true;
                check();
            }
        }

        /**
         * Checks that a connection leads to this file. A symbolic link may name another file now, and changes would go
         * to both files.
         */
        void checkIsOf(Connection connection) throws StoreFailure {
            String other;
            try {
                other = pathOf(connection);
            } catch (SQLException e) {
                throw SqliteErrors.beforeCommit(e);
            }
            if (!Objects.equals(key(Path.of(other)), key)) {
                throw failure(
                        "the connection leads to " + (other.isEmpty() ? "a database in memory" : "the file " + other)
                                + ", and this backend was created with the file " + path
                                + ": restart if a symbolic link was changed");
            }
        }

        private static StoreFailure failure(String message) {
            return new StoreFailure(Failure.PERMANENT, false, message, null);
        }
    }
}
