package io.counterkit.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Sets how a connection to SQLite waits for locks and stores its commits. */
final class SqliteSettings {
    /** The least value of PRAGMA synchronous with which a commit is on disk. */
    static final int DURABLE = 2;

    private static final int JOURNAL_BYTES = 64 * 1024 * 1024;
    private static final int PATIENT_MILLIS = 2_000;
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(PATIENT_MILLIS);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private SqliteSettings() {}

    /**
     * Makes every commit durable, and readers independent of writers. Afterwards a statement fails at once if the file is
     * locked.
     */
    static void configure(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        setBusyTimeout(connection, PATIENT_MILLIS);
        try (Statement statement = connection.createStatement()) {
            writeAhead(statement);
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("PRAGMA journal_size_limit = " + JOURNAL_BYTES);
        }
        setBusyTimeout(connection, 0);
    }

    /**
     * Sets the journal mode. Repeats the statement while the file is locked: if two connections set the mode of a new file at
     * the same time, SQLite refuses one of them at once, whatever its time limit.
     */
    private static void writeAhead(Statement statement) throws SQLException {
        long end = System.nanoTime() + LONGEST_WAIT_NANOS;
        boolean isSet = false;
        while (!isSet) {
            try {
                statement.execute("PRAGMA journal_mode = WAL");
                isSet = true;
            } catch (SQLException e) {
                if (!SqliteErrors.isBusy(e) || System.nanoTime() - end >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Returns how long a statement of a connection waits for a lock, in milliseconds. */
    static int busyTimeout(Connection connection) throws SQLException {
        return get(connection, "busy_timeout");
    }

    static void setBusyTimeout(Connection connection, int millis) throws SQLException {
        set(connection, "busy_timeout", millis);
    }

    /** Returns how durable the commits of a connection are. */
    static int durability(Connection connection) throws SQLException {
        return get(connection, "synchronous");
    }

    static void setDurability(Connection connection, int setting) throws SQLException {
        set(connection, "synchronous", setting);
    }

    private static int get(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA " + setting)) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    private static void set(Connection connection, String setting, int value) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA " + setting + " = " + value);
        }
    }
}
