package io.counterkit.datastore.internal.store;

import io.counterkit.ContentionException;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Call;
import io.counterkit.spi.Reasons;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats one operation until its outcome is known, the deadline passes, the thread is interrupted, or the maximum
 * number of attempts is reached. A failed commit may have been applied, so each attempt of a change must look for the
 * tokens of the change before it writes. Not thread-safe; one loop may run several operations, one after another.
 */
public final class RetryLoop {
    /** One attempt. */
    public interface Attempt<R> {
        /** Returns the result, or null to start the next attempt without a pause. */
        @Nullable R run();
    }

    /** Reads in a transaction and plans its writes. */
    public interface Planner<R> {
        /** Returns the writes, or null to start again in another transaction. */
        @Nullable WritePlan<R> plan(StoreTransaction transaction);
    }

    /** Creates the exception for a change that may have been applied. */
    public interface UnknownOutcome {
        RuntimeException exception(String message, @Nullable Throwable cause);
    }

    private static final String LATE = "the deadline passed";

    private final StoreClient client;
    private final ChainOptions options;
    private final String what;
    private final List<String> names;
    private final Call call;
    private final @Nullable UnknownOutcome unknown;
    private boolean hasShortPauses;
    private boolean mayBeApplied;
    private @Nullable StoreTransaction lost;

    /**
     * @param what the operation, for messages
     * @param names the counters or sequences, for the listener
     * @param unknown null for an operation that callers may repeat after any outcome: its failure is reported as not
     *     applied
     */
    public RetryLoop(
            StoreClient client,
            ChainOptions options,
            String what,
            List<String> names,
            Call call,
            @Nullable UnknownOutcome unknown) {
        this.client = client;
        this.options = options;
        this.what = what;
        this.names = names;
        this.call = call;
        this.unknown = unknown;
    }

    /** Creates an {@link UnknownOutcome} for a change that a token covers. */
    public static UnknownOutcome coveredBy(Supplier<IdempotencyToken> token) {
        return (message, cause) -> new OutcomeUnknownException(message, token.get(), cause);
    }

    /** Makes the pauses after contention independent of the duration of the attempt. */
    public RetryLoop withShortPauses() {
        hasShortPauses = true;
        return this;
    }

    /** Returns whether a commit was sent that may have been applied, or may be applied later. */
    public boolean mayBeApplied() {
        return mayBeApplied;
    }

    /** Sets whether a commit that was sent may have been applied, or may be applied later. */
    public void setMayBeApplied(boolean mayBeApplied) {
        this.mayBeApplied = mayBeApplied;
    }

    /** Repeats a transaction. */
    public <R> R runInTransaction(Planner<R> planner) {
        return run(() -> transact(planner));
    }

    /** Repeats an attempt. */
    public <R> R run(Attempt<R> attempt) {
        @Nullable RuntimeException last = null;
        int attempts = 0;
        boolean isLate = false;
        @Nullable String end = end(attempts);
        while (end == null) {
            long start = System.nanoTime();
            attempts++;
            try {
                R result = attempt.run();
                if (result != null) {
                    return result;
                }
            } catch (CounterException e) {
                throw e instanceof CorruptDataException ? failure(Reasons.of(e), e, e) : e;
            } catch (RuntimeException e) {
                if (!client.failure(e).isRetriable()) {
                    throw failure(Reasons.of(e), e, new NotAppliedException(what + ": " + Reasons.of(e), e));
                }
                last = e;
                isLate = !tryPause(e, attempts, System.nanoTime() - start);
            }
            end = end(attempts);
            if (end == null && isLate) {
                end = LATE;
            }
        }
        String reason = last == null ? end : end + " (" + Reasons.of(last) + ")";
        throw failure(reason, last, notApplied(what + ": " + reason, last));
    }

    /** Returns the reason to end the loop, or null to make another attempt. */
    private @Nullable String end(int attempts) {
        if (Thread.currentThread().isInterrupted()) {
            return "the thread was interrupted";
        }
        if (attempts >= options.maxAttempts()) {
            return "it was tried " + (attempts == 1 ? "once" : attempts + " times");
        }
        return call.remaining().toNanos() <= 0 ? LATE : null;
    }

    private RuntimeException failure(String reason, @Nullable Throwable cause, RuntimeException ifNotApplied) {
        return unknown == null || !mayBeApplied
                ? ifNotApplied
                : unknown.exception(what + ": a commit was sent and its outcome is not known: " + reason, cause);
    }

    private NotAppliedException notApplied(String message, @Nullable RuntimeException cause) {
        return cause != null && client.failure(cause).isConflict()
                ? new ContentionException(message + ": try again later", cause)
                : new NotAppliedException(message, cause);
    }

    /**
     * Pauses before the next attempt. Returns false immediately if there is no time for one, so that the caller
     * receives the failure before its own wait ends.
     */
    private boolean tryPause(RuntimeException error, int attempts, long nanosTaken) {
        StoreFailure failure = client.failure(error);
        boolean isContention = failure.isConflict();
        if (isContention) {
            call.reportConflict(names);
        }
        long left = Math.max(0, call.remaining().toNanos());
        long pause = options.pauses().nanos(attempts);
        if (failure == StoreFailure.CONTENTION && !hasShortPauses) {
            // On a store that locks, the attempt mostly waited for a lock, and the next one would wait as long.
            pause = Math.max(pause, Math.min(nanosTaken, left / 4));
        }
        pause -= options.random().nextLong(pause / 2 + 1);
        if (pause >= call.remainingForRetry().toNanos()) {
            return false;
        }
        if (!isContention) {
            call.reportRetry(error);
        }
        LockSupport.parkNanos(pause);
        return true;
    }

    /** Runs one transaction. Returns null if the planner asks for another one. */
    public <R> @Nullable R transact(Planner<R> planner) {
        StoreTransaction transaction = client.begin(lost, call);
        lost = null;
        try {
            WritePlan<R> plan = planner.plan(transaction);
            if (plan == null) {
                return null;
            }
            if (!plan.isEmpty()) {
                write(transaction, plan);
            }
            return plan.result().get();
        } finally {
            client.end(transaction, call);
        }
    }

    private void write(StoreTransaction transaction, WritePlan<?> plan) {
        client.write(transaction, plan.run(), plan.puts(), plan.deletes(), call);
        boolean mightBefore = mayBeApplied;
        mayBeApplied = true;
        lost = transaction;
        try {
            client.commit(transaction, call);
            lost = null;
        } catch (RuntimeException e) {
            mayBeApplied = mightBefore || client.failure(e).mayBeApplied();
            throw e;
        }
    }
}
