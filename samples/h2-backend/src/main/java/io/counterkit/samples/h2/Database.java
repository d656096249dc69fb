package io.counterkit.samples.h2;

import io.counterkit.spi.Backoff;
import io.counterkit.spi.BlockingCalls;
import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.h2.api.ErrorCode;

/** Runs transactions. */
final class Database implements AutoCloseable {
    private static final int THREADS = 8;

    private static final String[] SCHEMA = {
        // docs: schema
        "CREATE TABLE IF NOT EXISTS ck_lock (id INT PRIMARY KEY)",
        "INSERT INTO ck_lock SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ck_lock)",
        "CREATE TABLE IF NOT EXISTS ck_counter (name VARCHAR(400) PRIMARY KEY, total BIGINT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS ck_token (token VARCHAR(600) PRIMARY KEY, kind VARCHAR(10) NOT NULL,"
                + " name VARCHAR(400) NOT NULL, number BIGINT NOT NULL, created_at BIGINT NOT NULL)",
        "CREATE INDEX IF NOT EXISTS ck_token_age ON ck_token (created_at)",
        "CREATE TABLE IF NOT EXISTS ck_entry (name VARCHAR(400) NOT NULL, number BIGINT NOT NULL,"
                + " appended_at BIGINT NOT NULL, change VARCHAR(10) NOT NULL, subject VARCHAR(400),"
                + " fields VARBINARY(100000), live_count BIGINT NOT NULL, PRIMARY KEY (name, number))",
        "CREATE INDEX IF NOT EXISTS ck_entry_subject ON ck_entry (name, subject, number)",
        // docs: end
    };

    private final DataSource source;
    private final Wire wire;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "h2-backend");
        thread.setDaemon(true);
        return thread;
    });

    // docs: calls
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(2), Duration.ofMillis(200));
    private final BlockingCalls calls = BlockingCalls.on("h2-backend", threads, BACKOFF, Database::classify);
    // docs: end

    private Database(DataSource source, Wire wire) {
        this.source = source;
        this.wire = wire;
    }

    /** Creates the tables, one caller at a time: two that create a table IF NOT EXISTS at once can collide. */
    static synchronized Database open(DataSource source, Wire wire) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : SCHEMA) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the tables of the counters could not be created", e);
        }
        return new Database(source, wire);
    }

    // docs: classify
    /** Returns unknown unless the failure certainly happened before the commit. */
    private static Failure classify(Exception failure) {
        if (failure instanceof NotConnectedException) {
            return Failure.TRANSIENT;
        }
        int code = failure instanceof SQLException sql ? sql.getErrorCode() : 0;
        return switch (code) {
            case ErrorCode.LOCK_TIMEOUT_1, ErrorCode.DEADLOCK_1, ErrorCode.CONCURRENT_UPDATE_1 -> Failure.TRANSIENT;
            case ErrorCode.TABLE_OR_VIEW_NOT_FOUND_1, ErrorCode.NOT_ENOUGH_RIGHTS_FOR_1 -> Failure.PERMANENT;
            default -> Failure.UNKNOWN;
        };
    }
    // docs: end

    /** Runs queries, each of which sees what was committed before. */
    <T> CompletableFuture<T> read(String what, Call call, Transaction<T> queries) {
        return calls.read(
                what,
                call,
                () -> wire.call(() -> {
                    try (Connection connection = connect()) {
                        return queries.run(connection);
                    }
                }));
    }

    // docs: attempts
    /** Runs a change, and runs it again even if its outcome is unknown. */
    <T> CompletableFuture<T> change(String what, Commit commit, Transaction<T> change) {
        return calls.change(what, commit, () -> wire.call(() -> run(change)));
    }

    /** Runs a change that has no token, because repeating it has no further effect. */
    <T> CompletableFuture<T> repeatable(String what, Call call, Transaction<T> change) {
        return calls.repeatable(what, call, () -> wire.call(() -> run(change)));
    }
    // docs: end

    // docs: transaction
    /** Runs one transaction at a time: the lock row makes looking for a token and applying the change one step. */
    private <T> T run(Transaction<T> transaction) throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            try {
                statement.execute("SELECT id FROM ck_lock WHERE id = 1 FOR UPDATE");
                T result = transaction.run(connection);
                connection.commit();
                return result;
            } catch (Exception e) {
                try {
                    connection.rollback();
                } catch (SQLException lost) {
                    e.addSuppressed(lost); // the outcome is that of the first failure
                }
                throw e;
            }
        }
    }
    // docs: end

    private Connection connect() throws NotConnectedException {
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw new NotConnectedException(e);
        }
    }

    @Override
    public void close() {
        threads.shutdown();
        calls.close();
    }

    /** The work of one transaction. It may run again, even after it was committed, if the reply was lost. */
    interface Transaction<T> {
        T run(Connection connection) throws SQLException;
    }

    /** No transaction was begun. */
    static final class NotConnectedException extends Exception {
        private static final long serialVersionUID = 1L;

        NotConnectedException(Exception cause) {
            super(cause);
        }
    }
}
