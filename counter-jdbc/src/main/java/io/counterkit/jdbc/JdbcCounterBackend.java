package io.counterkit.jdbc;

import io.counterkit.CorruptDataException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.TransactionResult;
import io.counterkit.jdbc.internal.notification.NotificationListener;
import io.counterkit.jdbc.internal.sql.Dialect;
import io.counterkit.jdbc.internal.sql.Schema;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.jdbc.internal.sql.StoreFailure;
import io.counterkit.jdbc.internal.sql.Tables;
import io.counterkit.jdbc.internal.sql.Transactions;
import io.counterkit.jdbc.internal.store.CallersTransaction;
import io.counterkit.jdbc.internal.store.Database;
import io.counterkit.jdbc.internal.store.JdbcCounters;
import io.counterkit.jdbc.internal.store.JdbcMigration;
import io.counterkit.jdbc.internal.store.JdbcSequences;
import io.counterkit.jdbc.internal.store.RetriedTransaction;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counters and sequences in tables of PostgreSQL 14 or newer, or of SQLite in a file. The data source determines the
 * database, and provides the driver.
 *
 * <p>Each change and its token are committed by one transaction, on disk before it is acknowledged. Declares every
 * capability. Any number of processes may use the same tables; on SQLite, processes of one machine. Thread-safe.
 */
public final class JdbcCounterBackend implements CounterBackend {
    private final DataSource dataSource;
    private final Transactions transactions;
    private final Database database;
    private final JdbcCounters counters;
    private final JdbcSequences sequences;
    private final JdbcMigration migration;
    private final @Nullable NotificationListener notifications;
    private final Duration retention;

    private JdbcCounterBackend(
            DataSource dataSource,
            Transactions transactions,
            Dialect dialect,
            Database database,
            @Nullable NotificationListener notifications,
            JdbcCounterOptions options) {
        this.dataSource = dataSource;
        this.transactions = transactions;
        this.database = database;
        this.notifications = notifications;
        this.counters =
                new JdbcCounters(database, Math.min(dialect.addsInFlight(), options.connections()), notifications);
        this.sequences = new JdbcSequences(database, notifications);
        this.migration = new JdbcMigration(database);
        this.retention = options.tokenRetention();
    }

    /**
     * Creates a backend with {@link JdbcCounterOptions#defaults()}: see
     * {@link #create(DataSource, JdbcCounterOptions)}.
     */
    public static JdbcCounterBackend create(DataSource dataSource) {
        return create(dataSource, JdbcCounterOptions.defaults());
    }

    /**
     * Creates a backend. Connects to the database, and checks the version of the tables.
     *
     * <p>On PostgreSQL the backend borrows a connection for each transaction and returns it unchanged; a pool makes
     * that cheap. On SQLite it keeps up to six connections until it is closed, and sets their journal mode to WAL and
     * their durability to full.
     *
     * @param dataSource the database; the application closes it after this backend
     * @throws IllegalArgumentException if it is neither PostgreSQL 14 or newer nor SQLite 3.51.3 or newer in a file, or
     *     if the driver, the pool, the file, the encoding or the tables cannot be used as they are configured
     * @throws MissingTablesException if the tables are missing
     * @throws IllegalStateException if the tables are of another version
     * @throws CorruptDataException if the file is damaged, or is not a database
     * @throws NotAppliedException if the database cannot be reached or read, the user lacks a privilege, another
     *     transaction keeps a lock of the tables for 20 seconds, or a connection has no answer for 22 seconds (or its own
     *     network timeout)
     */
    public static JdbcCounterBackend create(DataSource dataSource, JdbcCounterOptions options) {
        Objects.requireNonNull(dataSource, "dataSource");
        try (Connection connection = Dialect.connect(dataSource)) {
            Transactions.Restoring networkTime = Dialect.limitNetworkTime(connection);
            try {
                return create(dataSource, connection, options);
            } finally {
                Dialect.endTransaction(connection, networkTime);
            }
        } catch (SQLException e) {
            throw unusable(Dialect.failure(e));
        } catch (StoreFailure e) {
            throw unusable(e);
        }
    }

    private static JdbcCounterBackend create(DataSource dataSource, Connection connection, JdbcCounterOptions options)
            throws SQLException {
        Dialect dialect = Dialect.of(connection);
        Transactions transactions = dialect.transactions(dataSource);
        Schema named = new Schema(options.schema(), options.tablePrefix());
        Schema schema = Tables.check(connection, dialect, named, options.createTables());
        Statements statements = new Statements(dialect, schema, options.tokenRetention(), options.notifications());
        Database database =
                new Database(dialect, transactions, statements, options.connections(), options.purgeInterval());
        NotificationListener notifications = options.notifications() ? dialect.notifications(dataSource) : null;
        return new JdbcCounterBackend(dataSource, transactions, dialect, database, notifications, options);
    }

    private static NotAppliedException unusable(StoreFailure e) {
        return new NotAppliedException("the database cannot be used: " + e.getMessage(), e.getCause());
    }

    /** Returns the data source that this backend was created with. */
    public DataSource dataSource() {
        return dataSource;
    }

    /**
     * Deletes the tokens that are older than the retention, in transactions of 500, and returns their number. The
     * backend also does this automatically while it makes changes: see {@link
     * JdbcCounterOptions.Builder#purgeInterval}. If the future fails, some tokens may have been deleted; call again.
     */
    public CompletableFuture<Long> purgeTokens() {
        return database.purgeTokens();
    }

    /** Joins a transaction without a token: see {@link #within(Connection, IdempotencyToken)}. */
    public JdbcTransaction within(Connection connection) {
        return CallersTransaction.begin(database, connection, null);
    }

    /**
     * Joins the transaction that the application has begun on its connection. Adds and appends through the result are
     * applied, and their numbers are used, only when the application commits. Stores the token in the same transaction.
     * If the reply to the commit is lost, {@link io.counterkit.Counters#resolve} decides its outcome, and returns
     * {@link Resolution.Committed} if it was applied. A transaction that is repeated with its token is {@linkplain
     * JdbcTransaction#isRepeated() recognized}.
     *
     * <pre>{@code
     * connection.setAutoCommit(false);
     * JdbcTransaction tx = backend.within(connection, IdempotencyToken.of("order-17"));
     * if (!tx.isRepeated()) {
     *     long number = tx.append("invoices/2026", Map.of("customer", "c-17"));
     *     insertOrder(connection, number);
     * }
     * connection.commit();
     * }</pre>
     *
     * <p>Changes are not combined: on PostgreSQL an add costs one round trip, and an append two, or three with a
     * subject. Until the transaction ends, it locks the counters and sequences that it has changed; on SQLite it locks
     * the whole file, from this call on. Other changes wait for it, even those that this program makes through {@link
     * io.counterkit.Counters} in the same thread: these fail at their deadline with a {@link
     * io.counterkit.ContentionException} that names the cause. So append late, and commit soon. Change several names in
     * the order of the names (as {@link String#compareTo}), which is the order of {@code Counters} too, since the
     * database ends one of two transactions that wait for each other.
     *
     * <p>The application sets the durability, the isolation and the time limits of the transaction. On PostgreSQL, the
     * driver also cancels each call after 20 seconds. Rolling back to a savepoint undoes the adds and appends after it; create
     * savepoints after this call, since the rollback would undo the token too. Call this method once in a transaction:
     * a second call with the same token finds the token that the first one stored, and reports the transaction as
     * repeated.
     *
     * @param connection a connection to the database of this backend, not in autocommit mode unless it is part of a
     *     distributed transaction (XA); from a pool, a framework's transaction, or the driver
     * @param token identifies the transaction; must not be used for anything else, and is remembered for the retention
     * @throws IllegalStateException if no transaction has begun on the connection, or this backend is closed
     * @throws IllegalArgumentException if the connection is to another kind of database, or if {@code token} starts
     *     like a token that CounterKit generates
     * @throws io.counterkit.TokenRefusedException if the token was used for another change, or was resolved as not
     *     applied
     * @throws io.counterkit.ContentionException if other transactions held the locks for too long; roll back, and try
     *     again
     * @throws NotAppliedException if the database failed; roll back
     */
    public JdbcTransaction within(Connection connection, IdempotencyToken token) {
        Limits.checkCallersToken(token);
        return CallersTransaction.begin(database, connection, token);
    }

    /**
     * Runs {@code function} in its own transaction. The adds and appends in it, and the application's own rows, are
     * applied once in total, or not at all. The token is stored in the same transaction: another call with the same
     * token, from any process, changes nothing more and returns the first result. The commit is on disk before this
     * method returns, even if the database or the connection is configured otherwise.
     *
     * <p>Retries for up to 20 seconds after failures of the database and contention, for example a deadlock or a
     * serialization failure. An {@code SQLException} of {@code function} counts as such a failure. Does not retry if a
     * time limit of the application ends a statement of {@code function}, or if the thread is interrupted.
     *
     * <p>Runs on the calling thread, on a new connection of the data source, and never in a transaction that a framework
     * has begun on this thread; use {@link #within(Connection)} there.
     *
     * @return the result, the same for each call with the token
     * @throws NotAppliedException if this call changed nothing and never will; another call with the token may have
     *     applied the same changes. Subclasses give the reason: {@link io.counterkit.ContentionException}, {@link
     *     io.counterkit.TokenRefusedException}, or an exception that {@code function} does not catch
     * @throws io.counterkit.OutcomeUnknownException if the outcome is unknown. Repeating the call with the same token
     *     applies the changes once in total; {@code resolve} finds out whether they were applied
     * @throws IllegalArgumentException if {@code token} starts like a token that CounterKit generates
     * @throws IllegalStateException if {@code function} returned after a statement, such as {@code COMMIT}, had ended the
     *     transaction; some of its changes may be applied. Also if this backend is closed
     * @throws RuntimeException if {@code function} throws it; nothing was committed
     */
    public TransactionResult transact(IdempotencyToken token, TransactionFunction function) {
        Limits.checkCallersToken(token);
        Objects.requireNonNull(function, "function");
        return new RetriedTransaction(database, transactions, token, function).run();
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public CounterStore counters() {
        return counters;
    }

    @Override
    public SequenceStore sequences() {
        return sequences;
    }

    @Override
    public MigrationStore migration() {
        return migration;
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        return database.resolve(token, target, call);
    }

    @Override
    public Duration retention() {
        return retention;
    }

    @Override
    public void close() {
        if (notifications != null) {
            notifications.close();
        }
        database.close();
    }
}
