package io.counterkit.jdbc.internal.sql;

import io.counterkit.spi.Call;
import io.counterkit.spi.RecentlyUsed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends statements to SQLite on a connection that stays open and in autocommit mode: a transaction begins and ends by
 * statements, since the driver's own {@code commit} begins the next transaction immediately and keeps the write lock.
 */
final class SqliteSession implements Session {
    private static final System.Logger LOG = System.getLogger(SqliteSession.class.getName());
    private static final String PART = "counterkit";
    private static final int MAX_PREPARED = 100;

    private static final long SHORTEST_PAUSE_NANOS = 200_000;
    private static final long LONGEST_PAUSE_NANOS = 800_000;

    private final Connection connection;

    /** The settings that the connection had; null if they were not changed. */
    private final SqliteSettings.@Nullable Original original;

    /** The log when the connection was opened; null if the connection is the application's. */
    final SqliteFile.@Nullable Log log;

    private final RecentlyUsed<String, PreparedStatement> prepared =
            new RecentlyUsed<>(MAX_PREPARED, SqliteSession::close);

    private SqliteSession(
            Connection connection, SqliteSettings.@Nullable Original original, SqliteFile.@Nullable Log log) {
        this.connection = connection;
        this.original = original;
        this.log = log;
    }

    /** Opens a session on a new connection to a file. */
    static SqliteSession open(Connection connection, SqliteFile file) throws SQLException {
        SqliteSettings.Original original = null;
        try {
            original = SqliteSettings.Original.of(connection);
            SqliteSettings.configure(connection);
            return new SqliteSession(connection, original, file.log());
        } catch (SQLException | RuntimeException e) {
            new SqliteSession(connection, original, null).close();
            throw e;
        }
    }

    /** Returns a session in a transaction of the application, whose connection is not changed. */
    static SqliteSession within(Connection connection) {
        return new SqliteSession(connection, null, null);
    }

    void execute(String sql) throws SQLException {
        prepare(sql).execute();
    }

    /**
     * Begins a transaction. Gives up before the deadline, so that the caller learns in time that nothing was applied.
     */
    void begin(Call call) throws StoreFailure {
        Duration left = call.remaining();
        long end = System.nanoTime() + left.minus(Transactions.margin(left)).toNanos();
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

    /**
     * Runs a part of a transaction in a savepoint, since a failed statement does not undo the statements before it.
     * Outside of a transaction the savepoint would begin one, and its release would commit this part alone.
     */
    <T> T part(Work<T> work) throws SQLException {
        execute("SAVEPOINT " + PART);
        T result;
        try {
            result = work.run(this);
        } catch (Throwable e) {
            tryUndoPart();
            throw e;
        }
        execute("RELEASE " + PART);
        return result;
    }

    /** Undoes a part, and ends its savepoint, unless SQLite has rolled back the whole transaction. */
    private void tryUndoPart() {
        try {
            execute("ROLLBACK TO " + PART);
            execute("RELEASE " + PART);
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
            if (original != null) {
                statement.setQueryTimeout(0); // a limit of a pool, for which the driver would wait for locks
            }
            prepared.put(sql, statement);
        }
        return statement;
    }

    private static void close(PreparedStatement statement) {
        try {
            statement.close();
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a statement could not be closed", e);
        }
    }

    void closeStatements() {
        prepared.clear();
    }

    /** Closes the connection with its original settings, since a pool gives it to the application. */
    void close() {
        closeStatements();
        try (connection) {
            if (original != null) {
                original.restore(connection);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be closed", e);
        }
    }
}
