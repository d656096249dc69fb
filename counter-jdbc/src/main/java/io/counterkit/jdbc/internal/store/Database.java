package io.counterkit.jdbc.internal.store;

import io.counterkit.ContentionException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.jdbc.internal.sql.Dialect;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.jdbc.internal.sql.StoreFailure;
import io.counterkit.jdbc.internal.sql.Transactions;
import io.counterkit.jdbc.internal.sql.Work;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.BlockingCalls;
import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs transactions on threads of its own, ends them at their deadlines, and retries them meanwhile. Thread-safe. */
public final class Database implements AutoCloseable {
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(2), Duration.ofMillis(250));

    private final Transactions transactions;
    private final Statements statements;
    private final ExecutorService writers;
    private final ExecutorService readers;
    private final BlockingCalls writes;
    private final BlockingCalls reads;
    private final TokenPurge purge;

    public Database(
            Dialect dialect,
            Transactions transactions,
            Statements statements,
            int connections,
            Duration purgeInterval) {
        this.transactions = transactions;
        this.statements = statements;
        writers = Executors.newFixedThreadPool(dialect.writers(connections), threads("counter-jdbc"));
        readers = dialect.readers(connections) == 0
                ? writers
                : Executors.newFixedThreadPool(dialect.readers(connections), threads("counter-jdbc-read"));
        writes = BlockingCalls.on("counter-jdbc", writers, BACKOFF, Database::classify);
        reads = BlockingCalls.on("counter-jdbc-read", readers, BACKOFF, Database::classify);
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

    /** A failure outside the database happens before the commit: transactions report what fails at it or after it. */
    private static Failure classify(Exception failure) {
        return failure instanceof StoreFailure store ? store.outcome() : Failure.PERMANENT;
    }

    Statements statements() {
        return statements;
    }

    Tokens tokens() {
        return new Tokens(statements);
    }

    /** Runs queries, each of which sees what was committed before. */
    <T> CompletableFuture<T> read(String what, Collection<String> names, Call call, Work<T> work) {
        return report(reads.read(what, call, attempt(names, call, () -> transactions.read(call, work))));
    }

    /** Runs a change in one transaction, which looks for its token first: it may run again after it was committed. */
    <T> CompletableFuture<T> change(String what, String name, Commit commit, Work<T> work) {
        return change(what, List.of(name), commit, () -> write(commit, work));
    }

    /** Runs a change in any number of transactions, of which one commits it. */
    <T> CompletableFuture<T> change(String what, Collection<String> names, Commit commit, Callable<T> attempt) {
        purge.runIfDue();
        return report(writes.change(what, commit, attempt(names, commit, attempt)));
    }

    /**
     * Runs a transaction that has no token of its own, and does no harm if it is repeated. If it may have been applied, the
     * future fails with an exception that states no outcome.
     */
    <T> CompletableFuture<T> repeatable(String what, Collection<String> names, Call call, Work<T> work) {
        AtomicBoolean mayBeApplied = new AtomicBoolean();
        Callable<T> attempt = () -> {
            boolean wasInDoubt = mayBeApplied.getAndSet(true);
            try {
                if (call.remaining().toNanos() <= 0) { // the caller may have been answered already
                    throw new NotAppliedException(what + ": its deadline has passed");
                }
                return transactions.write(call, work);
            } catch (StoreFailure e) {
                mayBeApplied.set(wasInDoubt || e.outcome() == Failure.UNKNOWN);
                throw e;
            } catch (CounterException e) {
                mayBeApplied.set(wasInDoubt);
                throw e;
            }
        };
        return report(writes.read(what, call, attempt(names, call, attempt)))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        mayBeApplied.get()
                                ? new IllegalStateException(
                                        what + " may have been applied: " + Reasons.of(failure) + "; repeat it",
                                        failure)
                                : Futures.unwrap(failure)));
    }

    /** Deletes the tokens that have expired, in small transactions, and returns how many. */
    public CompletableFuture<Long> purgeTokens() {
        return purge.run();
    }

    /** Decides a token. */
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        List<String> names = target == null ? List.of() : List.of(target.name());
        return repeatable("resolving token " + token, names, call, session -> tokens().resolve(session, token, target));
    }

    /** Runs one transaction on this thread, as a part of an attempt. */
    <T> T write(Call call, Work<T> work) throws Exception {
        return transactions.write(call, work);
    }

    /** Runs queries on this thread, as a part of an attempt. */
    <T> T query(Call call, Work<T> work) throws Exception {
        return transactions.read(call, work);
    }

    private static <T> Callable<T> attempt(Collection<String> names, Call call, Callable<T> attempt) {
        return () -> {
            try {
                return attempt.call();
            } catch (StoreFailure e) {
                if (e.isConflict()) {
                    call.reportConflict(names);
                }
                throw e;
            }
        };
    }

    /** If other transactions were in the way until the deadline, the failure says so. */
    private static <T> CompletableFuture<T> report(CompletableFuture<T> outcome) {
        return outcome.exceptionallyCompose(failure -> {
            Throwable cause = Futures.unwrap(failure);
            return CompletableFuture.failedFuture(
                    cause.getClass() == NotAppliedException.class
                                    && cause.getCause() instanceof StoreFailure store
                                    && store.isConflict()
                            ? new ContentionException(String.valueOf(cause.getMessage()), store)
                            : cause);
        });
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
