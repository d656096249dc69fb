package io.counterkit.jdbc.internal.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Reads, checks and changes the settings of a connection to SQLite, and the journal mode of its file. */
final class SqliteSettings {
    /** How long a statement of a connection waits for a lock, in milliseconds. */
    static final String BUSY_TIMEOUT = "busy_timeout";

    /** How durable the commits of a connection are. */
    static final String DURABILITY = "synchronous";

    /** The least durability with which a commit is on disk. */
    static final int DURABLE = 2;

    private static final String MARK = "counterkit_transaction";

    private static final System.Logger LOG = System.getLogger(SqliteSettings.class.getName());

    /** The getters of HikariCP, Apache Commons DBCP and Tomcat. */
    private static final String[] SIZES_OF_POOLS = {"getMaximumPoolSize", "getMaxTotal", "getMaxActive"};

    private static final int JOURNAL_BYTES = 64 * 1024 * 1024;

    /** How long the first statements of a new connection wait for other processes. */
    private static final int OPENING_WAIT_MILLIS = 2_000;

    private static final long OPENING_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(OPENING_WAIT_MILLIS);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private SqliteSettings() {}

    /** The settings of a connection that the backend changes while it uses the connection. */
    record Original(boolean isAutoCommit, int busyTimeout) {
        static Original of(Connection connection) throws SQLException {
            return new Original(connection.getAutoCommit(), get(connection, BUSY_TIMEOUT));
        }

        void restore(Connection connection) throws SQLException {
            set(connection, BUSY_TIMEOUT, busyTimeout);
            if (!isAutoCommit) {
                connection.setAutoCommit(false);
            }
        }
    }

    /**
     * Checks the settings of a new connection. In another encoding names do not compare by their characters, and lists
     * of names with a prefix would miss some.
     */
    static void check(Connection connection) throws SQLException {
        String encoding = text(connection, "encoding");
        if (!encoding.equals("UTF-8")) {
            throw new IllegalArgumentException("the file has the encoding " + encoding + ": use a file with UTF-8");
        }
        if (text(connection, "locking_mode").equals("exclusive")) {
            throw new IllegalArgumentException(
                    "the data source sets locking_mode=EXCLUSIVE, and several connections use the file: remove it");
        }
        for (String setting : new String[] {"count_changes", "full_column_names"}) {
            if (get(connection, setting) != 0) {
                throw new IllegalArgumentException("the data source sets " + setting
                        + "=true, with which statements have other results: remove it");
            }
        }
    }

    /**
     * Checks that a pool has a connection for the application, too. Otherwise the application's own statements would
     * find none as soon as the backend keeps them all.
     *
     * @param kept the most connections that the backend keeps
     */
    static void checkPool(DataSource source, int kept) {
        for (String getter : SIZES_OF_POOLS) {
            Object size;
            try {
                size = source.getClass().getMethod(getter).invoke(source);
            } catch (ReflectiveOperationException e) {
                continue; // another pool, or none
            }
            if (size instanceof Integer number && number > 0 && number <= kept) {
                throw new IllegalArgumentException("the data source is a pool with the maximum size " + number
                        + ", and on SQLite the counters keep up to " + kept
                        + " connections: make it larger, or give the counters a data source without a pool");
            }
        }
    }

    /**
     * Checks that the file has one name. Each name of a file has its own log, and one log would damage the changes of
     * another.
     */
    static void checkHasOneName(Path file) {
        Object names;
        try {
            names = Files.getAttribute(file, "unix:nlink");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return; // not created yet, or another system
        }
        if (names instanceof Integer number && number > 1) {
            throw new IllegalArgumentException("the file " + file + " has " + number
                    + " hard links, and processes that open it by different names would damage it: keep one of them");
        }
    }

    /**
     * Makes every commit durable, and readers independent of writers. Afterwards a statement fails immediately if the
     * file is locked.
     */
    static void configure(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        set(connection, BUSY_TIMEOUT, OPENING_WAIT_MILLIS);
        writeAhead(connection);
        get(connection, "schema_version"); // the first read opens the log
        execute(connection, "PRAGMA synchronous = FULL");
        execute(connection, "PRAGMA read_uncommitted = false"); // matters where connections share a cache
        set(connection, "journal_size_limit", JOURNAL_BYTES);
        set(connection, BUSY_TIMEOUT, 0);
    }

    /**
     * Sets the journal mode. Repeats the statement while the file is locked: if two connections set the mode of a new
     * file at the same time, SQLite refuses one of them immediately, whatever its time limit.
     */
    static void writeAhead(Connection connection) throws SQLException {
        long end = System.nanoTime() + OPENING_WAIT_NANOS;
        boolean isSet = false;
        while (!isSet) {
            try {
                checkIsLogged(text(connection, "journal_mode = WAL"));
                isSet = true;
            } catch (SQLException e) {
                if (!SqliteErrors.isBusy(e) || System.nanoTime() - end >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** SQLite keeps another mode if the file has no locks or no shared memory; several connections would damage it. */
    private static void checkIsLogged(String mode) {
        if (!mode.equals("wal")) {
            throw new IllegalArgumentException("the file cannot have journal_mode=WAL and stays with " + mode
                    + ": remove nolock, immutable and vfs from the URL, and use a file system of this machine");
        }
    }

    /**
     * Finds out whether a transaction is open, by beginning another one, which SQLite then refuses. SQLite ends a
     * transaction itself after some errors, such as a full disk, and the driver does not notice.
     */
    static boolean probeTransaction(Connection connection) throws SQLException {
        try {
            execute(connection, "BEGIN");
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.TRACE, "a transaction is open", e);
            return true;
        }
        execute(connection, "ROLLBACK");
        return false;
    }

    /** Marks the transaction of a connection with a savepoint, which ends with it. */
    static void markTransaction(Connection connection) throws SQLException {
        execute(connection, "SAVEPOINT " + MARK);
    }

    /** Removes the mark; returns false if it has ended with its transaction. */
    static boolean tryUnmarkTransaction(Connection connection) {
        try {
            execute(connection, "RELEASE " + MARK);
            return true;
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "the transaction had ended already", e);
            return !SqliteErrors.contains(e, "no such savepoint");
        }
    }

    /** Returns a setting of a connection that is a number. */
    static int get(Connection connection, String setting) throws SQLException {
        return Integer.parseInt(text(connection, setting));
    }

    static String text(Connection connection, String setting) throws SQLException {
        try (Statement statement = unlimited(connection);
                ResultSet row = statement.executeQuery("PRAGMA " + setting)) {
            return row.next() ? row.getString(1) : "";
        }
    }

    static void set(Connection connection, String setting, int value) throws SQLException {
        execute(connection, "PRAGMA " + setting + " = " + value);
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = unlimited(connection)) {
            statement.execute(sql);
        }
    }

    /**
     * Creates a statement without the time limit that a pool may set: the driver would apply the limit to the whole
     * connection.
     */
    private static Statement unlimited(Connection connection) throws SQLException {
        Statement statement = connection.createStatement();
        statement.setQueryTimeout(0);
        return statement;
    }
}
