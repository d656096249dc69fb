package io.counterkit.spi;

import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Calls a store whose client blocks. Each call runs on an executor, is retried until its deadline, and ends with the
 * right outcome. Thread-safe.
 *
 * <p>An attempt is the whole operation: a transaction from its begin to its commit. A change is retried even if its
 * outcome is unknown. So an attempt first looks for its tokens, and stores them in the transaction of the change.
 *
 * <p>If the outcome of an attempt is unknown, the outcome of the change stays unknown until an attempt returns. The
 * exception of a later attempt says nothing about an earlier one. The value that a later attempt returns is the
 * outcome, even if it contains failed {@linkplain Result results}, since that attempt has looked for the tokens.
 *
 * <p>No retry starts too shortly before the deadline: {@link Call#remainingForRetry}. A call that has no running
 * attempt at that time, because the executor is busy, ends then.
 */
public final class BlockingCalls implements AutoCloseable {
    final Executor executor;
    final Backoff backoff;
    final Function<Exception, Failure> classifier;
    final Timers timers;

    private BlockingCalls(String name, Executor executor, Backoff backoff, Function<Exception, Failure> classifier) {
        this.executor = executor;
        this.backoff = backoff;
        this.classifier = classifier;
        this.timers = Timers.named(name);
    }

    /** The meaning of an exception of the store's client for the attempt that failed with it. */
    public enum Failure {
        /** The attempt was not applied, and the next one may succeed. */
        TRANSIENT,
        /** The attempt was not applied, and the next one would fail likewise. */
        PERMANENT,
        /** The attempt may have been applied, now or later. */
        UNKNOWN
    }

    /**
     * Creates calls that run on {@code executor}.
     *
     * @param name the prefix of the names of the timers' threads
     * @param executor runs the attempts; with as many threads as the store has connections
     * @param backoff the pauses between attempts
     * @param classifier classifies the exceptions that attempts throw, except {@link CounterException}s, which state
     *     their outcome
     */
    public static BlockingCalls on(
            String name, Executor executor, Backoff backoff, Function<Exception, Failure> classifier) {
        return new BlockingCalls(name, executor, backoff, classifier);
    }

    /**
     * Runs a read. The future fails with the {@link CounterException} that an attempt throws, or with {@link
     * NotAppliedException}.
     *
     * @param what the read in words, for messages: "reading 'likes'"
     */
    public <T> CompletableFuture<T> read(String what, Call call, Callable<T> attempt) {
        return new BlockingCall<>(this, what, call, null, false, attempt).start();
    }

    /**
     * Runs a change that has no token, because it may be repeated: the operations of {@link MigrationStore} that
     * import. The future fails with {@link NotAppliedException}, or a subclass that an attempt throws, if no attempt
     * was applied or ever will be; otherwise with an {@link IllegalStateException}, which leaves the outcome open.
     *
     * @param what the change in words, for messages: "importing 'likes'"
     */
    public <T> CompletableFuture<T> repeatable(String what, Call call, Callable<T> attempt) {
        return new BlockingCall<>(this, what, call, null, true, attempt).start();
    }

    /**
     * Runs a change. The future fails with {@link NotAppliedException}, or a subclass that an attempt throws, if no
     * attempt was applied or ever will be; or with {@link OutcomeUnknownException}.
     *
     * @param what the change in words, for messages: "adding to 'likes'"
     */
    public <T> CompletableFuture<T> change(String what, Commit commit, Callable<T> attempt) {
        return new BlockingCall<>(this, what, commit, commit, true, attempt).start();
    }

    /** Ends the timers. Calls that wait for a retry fail. Does not end the executor. */
    @Override
    public void close() {
        timers.close();
    }
}
