package io.counterkit.spring.internal.transaction;

import io.counterkit.IdempotencyToken;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcTransaction;
import io.counterkit.spring.CounterTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SimpleConnectionHandle;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Joins the transaction that Spring has bound to the thread, and binds its part that adds and appends to the thread
 * too. Thread-safe.
 */
public final class ThreadBoundTransactions implements CounterTransactions {
    private final JdbcCounterBackend backend;
    private final DataSource dataSource;
    private final CommittedTransactions committed;

    /**
     * Creates the transactions of a backend's data source.
     *
     * @param committed refuses a transaction that was committed already
     */
    public ThreadBoundTransactions(JdbcCounterBackend backend, CommittedTransactions committed) {
        this.backend = backend;
        this.committed = committed;
        this.dataSource = withoutProxy(backend.dataSource());
    }

    /**
     * Returns the data source that transaction managers use: the target of a proxy that joins transactions, or the
     * given one.
     */
    private static DataSource withoutProxy(DataSource given) {
        DataSource target = given instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? given : target;
    }

    @Override
    public JdbcTransaction current() {
        return findOrJoin(null);
    }

    @Override
    public JdbcTransaction current(IdempotencyToken token) {
        return findOrJoin(Objects.requireNonNull(token, "token"));
    }

    private JdbcTransaction findOrJoin(@Nullable IdempotencyToken token) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) { // as after its completion
            throw new IllegalStateException(
                    "counting in the application's transaction: no transaction is active on this"
                            + " thread; annotate the method with @Transactional, and call it through its bean");
        }
        if (committed.contains(TransactionSynchronizationManager.getResource(dataSource))) {
            throw new IllegalStateException("counting in the application's transaction: it was committed already; use"
                    + " Counters in callbacks after the commit, or a transaction of their own with REQUIRES_NEW");
        }
        Joined joined = (Joined) TransactionSynchronizationManager.getResource(this);
        if (joined == null) {
            joined = new Joined(join(token), token);
            TransactionSynchronizationManager.registerSynchronization(joined);
            TransactionSynchronizationManager.bindResource(this, joined);
        } else if (token != null && !token.equals(joined.token)) {
            throw new IllegalStateException("counting in the application's transaction with token " + token
                    + ": the transaction has " + (joined.token == null ? "no token" : "token " + joined.token)
                    + "; name the token before the first add or append");
        }
        return joined.transaction;
    }

    private JdbcTransaction join(@Nullable IdempotencyToken token) {
        // Otherwise Spring would give the transaction of another manager its own connection, and never commit it.
        if (!isBegun()) {
            throw new IllegalStateException(
                    "counting in the application's transaction: the transaction on this thread is not"
                            + " one of the counters' data source; use its transaction manager");
        }
        Connection connection = connection();
        return token == null ? backend.within(connection) : backend.within(connection, token);
    }

    /**
     * Returns whether the transaction on this thread is one of the data source. Spring also keeps a connection that
     * another statement has used in the transaction of another manager; managers of JPA keep one with their own handle.
     */
    private boolean isBegun() {
        return TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder
                && (!(holder.getConnectionHandle() instanceof SimpleConnectionHandle)
                        || new Manager(dataSource).hasBegun());
    }

    /** Looks for a transaction as the manager that would join it does. */
    @SuppressWarnings("serial") // it is used once
    private static final class Manager extends DataSourceTransactionManager {
        Manager(DataSource dataSource) {
            super(dataSource);
        }

        boolean hasBegun() {
            return isExistingTransaction(doGetTransaction());
        }
    }

    /** Returns the connection of the transaction, whose statements end when the time of the transaction has passed. */
    private Connection connection() {
        try {
            return new TransactionAwareDataSourceProxy(dataSource).getConnection();
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("counting in the application's transaction", e);
        }
    }

    /** The resource that is bound to the thread until its transaction ends or is suspended. */
    private final class Joined implements TransactionSynchronization {
        private final JdbcTransaction transaction;
        private final @Nullable IdempotencyToken token;
        private final Set<Object> savepoints = Collections.newSetFromMap(new IdentityHashMap<>());
        private boolean isUndone;

        Joined(JdbcTransaction transaction, @Nullable IdempotencyToken token) {
            this.transaction = transaction;
            this.token = token;
        }

        @Override
        public void suspend() {
            unbind();
        }

        @Override
        public void resume() {
            if (!isUndone) {
                TransactionSynchronizationManager.bindResource(ThreadBoundTransactions.this, this);
            }
        }

        @Override
        public void savepoint(Object savepoint) {
            savepoints.add(savepoint);
        }

        /** A rollback to an older savepoint removes the token, so that the next use stores it again. */
        @Override
        public void savepointRollback(Object savepoint) {
            if (!savepoints.contains(savepoint)) {
                isUndone = true;
                unbind();
            }
        }

        @Override
        public void beforeCompletion() {
            unbind();
        }

        @Override
        public void afterCompletion(int status) {
            unbind(); // another callback may have bound it before the completion
        }

        private void unbind() {
            if (TransactionSynchronizationManager.getResource(ThreadBoundTransactions.this) == this) {
                TransactionSynchronizationManager.unbindResource(ThreadBoundTransactions.this);
            }
        }
    }
}
