package io.counterkit.jdbc.internal.sql;

import io.counterkit.CounterException;
import io.counterkit.jdbc.internal.sql.Session.Work;
import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Call;
import io.counterkit.spi.Reasons;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Uses a connection of the data source for each transaction. The driver's {@code commit} returns normally after a
 * statement has failed, and stores nothing. So each failure ends in a rollback, or the connection is aborted.
 */
final class PostgresTransactions implements Transactions {
    /** The driver waits for the network this much longer than the call, so that the server's limits come first. */
    private static final int NETWORK_MARGIN_MILLIS = 2_000;

    private static final System.Logger LOG = System.getLogger(PostgresTransactions.class.getName());

    private final TaskConnections<Connection> connections;
    private final PostgresTexts texts = new PostgresTexts();

    PostgresTransactions(DataSource source) {
        this.connections = new TaskConnections<>(() -> connect(source), Transactions::closeQuietly);
    }

    @Override
    public <T> T write(Call call, Work<T> work) throws Exception {
        Connection connection = connect();
        Settings settings = null;
        boolean isUsable = false;
        try {
            T result;
            try {
                settings = prepare(connection, call, false);
                result = work.run(PostgresSession.of(connection, texts, call));
            } catch (SQLException e) {
                throw PostgresErrors.inTransaction(e);
            }
            commit(connection);
            isUsable = true;
            return result;
        } catch (Throwable e) {
            isUsable = tryRollBack(connection, e) && isUsableAfter(e);
            throw e;
        } finally {
            release(connection, isUsable ? settings : null);
        }
    }

    /**
     * The driver commits the statement together with the settings that it sends before it. Any error after which the
     * connection still answers has rolled it back; any other one leaves the outcome unknown.
     */
    @Override
    public <T> T writeOnce(Call call, Work<T> work) throws Exception {
        Connection connection = connect();
        Settings settings = null;
        boolean isUsable = false;
        try {
            try {
                settings = prepare(connection, call, true);
            } catch (SQLException e) {
                throw PostgresErrors.inTransaction(e);
            }
            T result = runOnce(connection, PostgresSession.of(connection, texts, call), work);
            isUsable = true;
            return result;
        } catch (StoreFailure | IncompleteException e) {
            isUsable = isUsableAfter(e);
            throw e;
        } finally {
            release(connection, isUsable ? settings : null);
        }
    }

    private static <T> T runOnce(Connection connection, PostgresSession session, Work<T> work) throws StoreFailure {
        try {
            return work.run(session);
        } catch (SQLException e) {
            if (PostgresErrors.state(e).equals(PostgresErrors.INCOMPLETE)) {
                throw new IncompleteException();
            }
            throw PostgresErrors.ofWholeTransaction(e, isAlive(connection, e));
        } catch (IncompleteException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new StoreFailure(Failure.UNKNOWN, false, "the change failed: " + Reasons.of(e), e);
        }
    }

    private static boolean isAlive(Connection connection, SQLException failure) {
        try {
            return connection.isValid(1);
        } catch (SQLException | RuntimeException e) {
            suppress(failure, e);
            return false;
        }
    }

    @Override
    public <T> T read(Call call, Work<T> work) throws Exception {
        Connection connection = connect();
        Settings settings = null;
        boolean isUsable = false;
        try {
            settings = prepare(connection, call, true);
            T result = work.run(PostgresSession.of(connection, texts, call));
            isUsable = true;
            return result;
        } catch (SQLException e) {
            throw PostgresErrors.beforeCommit(e);
        } catch (CounterException e) {
            isUsable = true; // the stored data is wrong, not the connection
            throw e;
        } finally {
            release(connection, isUsable ? settings : null);
        }
    }

    @Override
    public <T> T within(Connection connection, Work<T> work) throws StoreFailure {
        try {
            return work.run(PostgresSession.within(connection, texts));
        } catch (SQLException e) {
            throw PostgresErrors.inTransaction(e);
        }
    }

    @Override
    public Restoring begin(Connection connection) throws SQLException {
        PostgresSession.begin(connection);
        return () -> {}; // the setting ends with the transaction
    }

    /** The settings of a connection when it was borrowed. */
    private record Settings(boolean isAutoCommit, int networkTimeout) {
        void restore(Connection connection) throws SQLException {
            connection.setAutoCommit(isAutoCommit);
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
        }
    }

    /** Connects immediately, even if the data source would connect only at the first use of the connection. */
    private static Connection connect(DataSource source) throws StoreFailure {
        Connection connection = null;
        boolean isConnected = false;
        try {
            connection = source.getConnection();
            isConnected = connection.getNetworkTimeout() >= 0;
            return connection;
        } catch (SQLException e) {
            throw PostgresErrors.notConnected(e);
        } catch (RuntimeException | Error e) {
            throw StoreFailure.notConnected(e);
        } finally {
            if (connection != null && !isConnected) {
                Transactions.closeQuietly(connection);
            }
        }
    }

    @Override
    public Connection connect() throws StoreFailure {
        return connections.take();
    }

    @Override
    public Executor connecting(Executor executor) {
        return connections.connecting(executor);
    }

    /** Prepares a connection for a call. Returns the settings that it had; if this fails, it must not be used again. */
    private static Settings prepare(Connection connection, Call call, boolean isAutoCommit) throws SQLException {
        Settings before = new Settings(connection.getAutoCommit(), connection.getNetworkTimeout());
        connection.setNetworkTimeout(
                Runnable::run, (int) Math.max(1, call.remaining().toMillis()) + NETWORK_MARGIN_MILLIS);
        connection.setAutoCommit(isAutoCommit);
        return before;
    }

    @Override
    public void commit(Connection connection) throws StoreFailure {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw PostgresErrors.atCommit(e);
        } catch (RuntimeException | Error e) {
            throw new StoreFailure(Failure.UNKNOWN, false, "the commit failed: " + Reasons.of(e), e);
        }
    }

    /** After a failover, a pool would keep connections to a server that has become a standby. */
    @Override
    public boolean isUsableAfter(Throwable failure) {
        boolean isOpen = failure instanceof StoreFailure store && store.outcome() == Failure.UNKNOWN;
        return !isOpen && !PostgresErrors.isReadOnly(failure);
    }

    @Override
    public StoreFailure failure(SQLException e) {
        return PostgresErrors.ofApplication(e);
    }

    /** Rolls back. Returns whether the transaction has certainly ended, so that the connection can be reused. */
    static boolean tryRollBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
            return true;
        } catch (SQLException | RuntimeException e) {
            suppress(failure, e);
            return false;
        }
    }

    /** A driver may throw one exception object again, which cannot be suppressed by itself. */
    private static void suppress(Throwable failure, Exception further) {
        if (failure != further) {
            failure.addSuppressed(further);
        }
    }

    /**
     * Returns a connection with its original settings. If {@code settings} is null, aborts it: its transaction may be
     * open, and the next user of a pool would commit it. A failure of this method does not change the outcome of the
     * transaction, which has ended.
     */
    private static void release(Connection connection, @Nullable Settings settings) {
        try (connection) {
            if (settings == null) {
                connection.abort(Runnable::run);
            } else {
                settings.restore(connection);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be restored", e);
        }
    }

    @Override
    public void close() {} // the data source keeps the connections
}
