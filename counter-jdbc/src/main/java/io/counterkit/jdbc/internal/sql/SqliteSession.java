package io.counterkit.jdbc.internal.sql;

import io.counterkit.spi.Call;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends statements to SQLite on a connection that stays open and in autocommit mode: a transaction begins and ends by
 * statements, since the driver's own {@code commit} begins the next transaction at once and keeps the write lock.
 */
final class SqliteSession implements Session {
    private static final System.Logger LOG = System.getLogger(SqliteSession.class.getName());
    private static final int MAX_PREPARED = 100;

    /** How long a statement of a connection waits for a lock, in milliseconds. */
    static final String BUSY_TIMEOUT = "busy_timeout";

    /** How durable the commits of a connection are. */
    static final String DURABILITY = "synchronous";

    /** The least durability with which a commit is on disk. */
    static final int DURABLE = 2;

    private static final int JOURNAL_BYTES = 64 * 1024 * 1024;
    private static final int PATIENT_MILLIS = 2_000;
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(PATIENT_MILLIS);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long SHORTEST_PAUSE_NANOS = 200_000;
    private static final long LONGEST_PAUSE_NANOS = 800_000;

    private final Connection connection;

    /** How long the connection waits for a lock when it is returned, in milliseconds; null if it was not changed. */
    private final @Nullable Integer busyTimeout;

    private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>(16, 0.75f, true);

    private SqliteSession(Connection connection, @Nullable Integer busyTimeout) {
        this.connection = connection;
        this.busyTimeout = busyTimeout;
    }

    static SqliteSession open(Connection connection) throws SQLException {
        Integer busyTimeout = null;
        try {
            busyTimeout = get(connection, BUSY_TIMEOUT);
            configure(connection);
            return new SqliteSession(connection, busyTimeout);
        } catch (SQLException | RuntimeException e) {
            new SqliteSession(connection, busyTimeout).close();
            throw e;
        }
    }

    /** Returns a session in a transaction of the application, whose connection is not changed. */
    static SqliteSession within(Connection connection) {
        return new SqliteSession(connection, null);
    }

    /**
     * Makes every commit durable, and readers independent of writers. Afterwards a statement fails at once if the file is
     * locked.
     */
    static void configure(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        set(connection, BUSY_TIMEOUT, PATIENT_MILLIS);
        try (Statement statement = connection.createStatement()) {
            writeAhead(statement);
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("PRAGMA journal_size_limit = " + JOURNAL_BYTES);
        }
        set(connection, BUSY_TIMEOUT, 0);
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

    /** Returns a setting of a connection. */
    static int get(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA " + setting)) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    static void set(Connection connection, String setting, int value) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA " + setting + " = " + value);
        }
    }

    void execute(String sql) throws SQLException {
        prepare(sql).execute();
    }

    /**
     * Begins a transaction. Gives up before the deadline, so that the caller learns in time that nothing was applied.
     */
    void begin(Call call) throws StoreFailure {
        long left = call.remaining().toNanos();
        long end = System.nanoTime() + left - left / 8;
        for (; ; ) {
            try {
                execute("BEGIN IMMEDIATE");
                return;
            } catch (SQLException e) {
                if (!SqliteErrors.isBusy(e) || System.nanoTime() - end >= 0) {
                    throw SqliteErrors.beforeCommit(e);
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS));
            }
        }
    }

    /**
     * Rolls back. Returns false if that failed: SQLite has rolled back already, or does so when the connection closes.
     */
    boolean tryRollBack() {
        try {
            execute("ROLLBACK");
            return true;
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "the transaction had ended already", e);
            return false;
        }
    }

    /** Undoes what follows a savepoint, and ends it, unless SQLite has rolled back the whole transaction. */
    void tryRollBackTo(String savepoint) {
        try {
            execute("ROLLBACK TO " + savepoint);
            execute("RELEASE " + savepoint);
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "the transaction had ended already", e);
        }
    }

    @Override
    public <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = prepare(Parameters.expand(sql, parameters));
        Parameters.set(statement, 1, parameters);
        try (ResultSet rows = statement.executeQuery()) {
            return Parameters.read(rows, reader);
        }
    }

    @Override
    public int update(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = prepare(Parameters.expand(sql, parameters));
        Parameters.set(statement, 1, parameters);
        return statement.executeUpdate();
    }

    @Override
    public List<Set<String>> insert(List<Rows> groups) throws SQLException {
        List<Set<String>> written = new ArrayList<>();
        for (Rows group : groups) {
            PreparedStatement statement = prepare(group.insert().oneRow());
            Set<String> keys = new HashSet<>();
            for (@Nullable Object[] row : group.values()) {
                Parameters.set(statement, 1, row);
                if (statement.executeUpdate() > 0) {
                    keys.add(String.valueOf(row[0]));
                }
            }
            written.add(keys);
        }
        return written;
    }

    @Override
    public void insertAll(List<Rows> groups) throws SQLException {
        List<Set<String>> written = insert(groups);
        for (int i = 0; i < groups.size(); i++) {
            if (written.get(i).size() < groups.get(i).values().size()) {
                throw new IncompleteException();
            }
        }
    }

    private PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            if (prepared.size() >= MAX_PREPARED) {
                Map.Entry<String, PreparedStatement> eldest =
                        prepared.entrySet().iterator().next();
                eldest.getValue().close();
                prepared.remove(eldest.getKey());
            }
            prepared.put(sql, statement);
        }
        return statement;
    }

    void closeStatements() {
        for (PreparedStatement statement : prepared.values()) {
            try {
                statement.close();
            } catch (SQLException | RuntimeException e) {
                LOG.log(System.Logger.Level.DEBUG, "a statement could not be closed", e);
            }
        }
        prepared.clear();
    }

    /** Closes the connection. A pool gives it to the application, whose statements then wait for locks as before. */
    void close() {
        closeStatements();
        try (connection) {
            if (busyTimeout != null) {
                set(connection, BUSY_TIMEOUT, busyTimeout);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be closed", e);
        }
    }
}
