package io.counterkit.jdbc.internal.store;

import io.counterkit.ContentionException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.jdbc.internal.sql.Dialect;
import io.counterkit.jdbc.internal.sql.Session.Work;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.jdbc.internal.sql.StoreFailure;
import io.counterkit.jdbc.internal.sql.Transactions;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.BlockingCalls;
import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Reasons;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs transactions on its own threads, retries them, and ends them at their deadlines. Thread-safe. */
public final class Database implements AutoCloseable {
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(2), Duration.ofMillis(250));

    private final Transactions transactions;
    private final Statements statements;
    private final ExecutorService writers;
    private final ExecutorService readers;
    private final BlockingCalls writes;
    private final BlockingCalls reads;
    private final TokenPurge purge;
    private final Dialect dialect;

    private final Contention contention;

    public Database(
            Dialect dialect,
            Transactions transactions,
            Statements statements,
            int connections,
            Duration purgeInterval) {
        this.dialect = dialect;
        this.contention = new Contention(dialect.hasOneWriter());
        this.transactions = transactions;
        this.statements = statements;
        writers = Executors.newFixedThreadPool(dialect.writers(connections), threads("counter-jdbc"));
        readers = dialect.readers(connections) == 0
                ? writers
                : Executors.newFixedThreadPool(dialect.readers(connections), threads("counter-jdbc-read"));
        writes = BlockingCalls.on("counter-jdbc", transactions.connecting(writers), BACKOFF, Database::classify);
        reads = BlockingCalls.on("counter-jdbc-read", transactions.connecting(readers), BACKOFF, Database::classify);
        purge = new TokenPurge(this, purgeInterval);
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger started = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + started.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Any other exception was thrown before the commit: transactions throw {@link StoreFailure} for failures during or
     * after it.
     */
    private static Failure classify(Exception failure) {
        return failure instanceof StoreFailure store ? store.outcome() : Failure.PERMANENT;
    }

    Statements statements() {
        return statements;
    }

    Tokens tokens() {
        return new Tokens(statements);
    }

    /** Runs queries, each of which sees all transactions that were committed before it. */
    <T> CompletableFuture<T> read(String what, Collection<String> names, Call call, Work<T> work) {
        return contention.report(
                names,
                reads.read(what, call, contention.attempt(what, names, call, () -> transactions.read(call, work))));
    }

    /**
     * Runs a change in one transaction. It looks for its token first, since it may run again after it was committed.
     */
    <T> CompletableFuture<T> change(String what, String name, Commit commit, Work<T> work) {
        return change(what, List.of(name), commit, () -> write(commit, work));
    }

    /** Runs a change in one or more transactions, one of which commits it. */
    <T> CompletableFuture<T> change(String what, Collection<String> names, Commit commit, Callable<T> attempt) {
        purge.runIfDue();
        return contention.report(names, writes.change(what, commit, contention.attempt(what, names, commit, attempt)));
    }

    /**
     * Runs a transaction without a token, which is idempotent. If it may have been applied, the future fails with an
     * exception that does not state the outcome.
     */
    <T> CompletableFuture<T> repeatable(String what, Collection<String> names, Call call, Work<T> work) {
        return contention.report(
                names,
                writes.repeatable(
                        what, call, contention.attempt(what, names, call, () -> transactions.write(call, work))));
    }

    /** Deletes the expired tokens in small transactions, and returns their number. */
    public CompletableFuture<Long> purgeTokens() {
        return purge.run();
    }

    /** Resolves a token. */
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        List<String> names = target == null ? List.of() : List.of(target.name());
        return repeatable("resolving token " + token, names, call, session -> tokens().resolve(session, token, target));
    }

    /** Runs one transaction on this thread, as a part of an attempt. */
    <T> T write(Call call, Work<T> work) throws Exception {
        return transactions.write(call, work);
    }

    /** Runs work of one statement on this thread, as a part of an attempt. */
    <T> T writeOnce(Call call, Work<T> work) throws Exception {
        return transactions.writeOnce(call, work);
    }

    /** Runs queries on this thread, as a part of an attempt. */
    <T> T query(Call call, Work<T> work) throws Exception {
        return transactions.read(call, work);
    }

    boolean hasOneWriter() {
        return dialect.hasOneWriter();
    }

    /**
     * Checks that the application has begun a transaction, and that its connection leads to the same kind of database.
     */
    void checkIsInTransaction(Connection connection) {
        if (writers.isShutdown()) {
            throw new IllegalStateException("this backend is closed");
        }
        try {
            String product = connection.getMetaData().getDatabaseProductName();
            if (!product.equals(dialect.product())) {
                throw new IllegalArgumentException("the connection leads to " + product + ", and this backend to "
                        + dialect.product() + ": use a connection to the database of this backend");
            }
            if (!dialect.probeTransaction(connection)) {
                throw new IllegalStateException("the connection is in autocommit mode: call"
                        + " setAutoCommit(false) first, and commit when all is done");
            }
        } catch (SQLException e) {
            throw new NotAppliedException("the connection cannot be used: " + Reasons.of(e), e);
        }
    }

    /** Runs a part of a transaction of the application, on this thread. */
    <T> T within(String what, String name, Connection connection, Work<T> work) {
        contention.noteCallersTransaction(name);
        try {
            return transactions.within(connection, work);
        } catch (StoreFailure | SkippedRowsException e) {
            String message = what + " failed: " + e.getMessage() + "; roll the transaction back";
            throw e instanceof StoreFailure failure && failure.isConflict()
                    ? new ContentionException(message, e)
                    : new NotAppliedException(message, e);
        }
    }

    @Override
    public void close() {
        writers.shutdown();
        readers.shutdown();
        writes.close();
        reads.close();
        transactions.close();
    }
}
