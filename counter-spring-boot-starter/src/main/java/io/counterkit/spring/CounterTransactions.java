package io.counterkit.spring;

import io.counterkit.IdempotencyToken;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcTransaction;
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
 * Adds and appends in the application's own transaction: the one that {@code @Transactional} begins on the data source
 * of the counters. They are committed or rolled back with the rest of that transaction, and a number is used up only if
 * it is committed.
 *
 * <pre>{@code
 * @Transactional
 * long order(String customer) {
 *     long number = transactions.current().append("orders/2026", Map.of("customer", customer));
 *     jdbc.update("INSERT INTO orders (number, customer) VALUES (?, ?)", number, customer);
 *     return number;
 * }
 * }</pre>
 *
 * <p>Changes through {@link io.counterkit.Counters} are never part of a transaction of the application, and wait for
 * one that has changed the same name: see {@link JdbcCounterBackend#within(Connection, IdempotencyToken)}. Thread-safe;
 * only the thread of a transaction may use it.
 */
public final class CounterTransactions {
    private final JdbcCounterBackend backend;
    private final DataSource dataSource;
    private final CommittedTransactions committed;

    CounterTransactions(JdbcCounterBackend backend, CommittedTransactions committed) {
        this.backend = backend;
        this.committed = committed;
        this.dataSource = transactional(backend.dataSource());
    }

    /**
     * Returns the data source that transaction managers use: the target of a proxy that joins transactions, or the
     * given one.
     */
    private static DataSource transactional(DataSource given) {
        DataSource target = given instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? given : target;
    }

    /**
     * Returns the part of the current transaction that adds and appends. Every call in one transaction returns the same
     * one.
     *
     * @throws IllegalStateException if no transaction of the data source is active on this thread, such as in a
     *     callback after the commit
     * @throws io.counterkit.CounterException if the database failed, or other transactions held the locks for too long;
     *     let the transaction roll back
     * @throws org.springframework.transaction.TransactionTimedOutException if the time of the transaction has passed
     */
    public JdbcTransaction current() {
        return find(null);
    }

    /**
     * Returns the part of the current transaction that adds and appends, and stores a token with it. If the reply to
     * the commit is lost, {@link io.counterkit.Counters#resolve} decides whether it was applied. If a transaction with
     * the token was committed before, {@link JdbcTransaction#isRepeated()} returns true.
     *
     * @throws IllegalStateException if no transaction of the data source is active on this thread, or if the
     *     transaction was joined before with another token or without one
     * @throws io.counterkit.TokenRefusedException if the token was used for another change, or was resolved as not
     *     applied
     * @throws io.counterkit.CounterException if the database failed, or other transactions held the locks for too long;
     *     let the transaction roll back
     */
    public JdbcTransaction current(IdempotencyToken token) {
        return find(Objects.requireNonNull(token, "token"));
    }

    private JdbcTransaction find(@Nullable IdempotencyToken token) {
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
        Connection connection = limited();
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
    private Connection limited() {
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
                TransactionSynchronizationManager.bindResource(CounterTransactions.this, this);
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
            if (TransactionSynchronizationManager.getResource(CounterTransactions.this) == this) {
                TransactionSynchronizationManager.unbindResource(CounterTransactions.this);
            }
        }
    }
}
