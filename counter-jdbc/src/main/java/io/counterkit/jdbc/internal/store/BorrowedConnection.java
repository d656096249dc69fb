package io.counterkit.jdbc.internal.store;

import io.counterkit.jdbc.internal.sql.StoreFailure;
import io.counterkit.jdbc.internal.sql.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the data source for one transaction, which is returned with its original settings. If these cannot be
 * restored, the connection is aborted, since its next user would commit the transaction.
 */
final class BorrowedConnection implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(BorrowedConnection.class.getName());

    private final Transactions transactions;
    private final Connection connection;
    private final boolean wasAutoCommit;
    private Transactions.Restoring networkTime = () -> {};
    private Transactions.@Nullable Restoring durability;

    private BorrowedConnection(Transactions transactions, Connection connection, boolean wasAutoCommit) {
        this.transactions = transactions;
        this.connection = connection;
        this.wasAutoCommit = wasAutoCommit;
    }

    /** Takes a connection on a thread of the application. */
    static BorrowedConnection of(Transactions transactions) throws StoreFailure {
        Connection connection = transactions.connectOutside();
        try {
            return new BorrowedConnection(transactions, connection, connection.getAutoCommit());
        } catch (SQLException e) {
            Transactions.closeQuietly(connection);
            throw transactions.failure(e);
        } catch (RuntimeException e) {
            Transactions.closeQuietly(connection);
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    void limitNetworkTime() throws SQLException {
        networkTime = Transactions.limitNetworkTime(connection);
    }

    void begin() throws SQLException {
        durability = transactions.begin(connection);
    }

    /** Rolls the transaction back and restores the settings. */
    void rollBackAfter(Throwable failure) {
        try {
            transactions.rollBack(connection);
            reset();
            if (!transactions.isUsableAfter(failure)) {
                abort();
            }
        } catch (SQLException | RuntimeException e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
            abort();
        }
    }

    /**
     * Restores the settings after a transaction that is committed, or that wrote nothing and {@code isOpen}. A failure
     * does not change its outcome.
     */
    void restore(boolean isOpen) {
        try {
            if (isOpen) {
                connection.rollback();
            }
            reset();
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be restored", e);
            abort();
        }
    }

    private void reset() throws SQLException {
        networkTime.run();
        if (durability != null) {
            connection.setAutoCommit(true);
            durability.run();
        }
        connection.setAutoCommit(wasAutoCommit);
    }

    private void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be aborted", e);
        }
    }

    @Override
    public void close() {
        Transactions.closeQuietly(connection);
    }
}
