package io.counterkit.spi;

import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.Outcome;
import io.counterkit.OutcomeUnknownException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call of {@link BlockingCalls}, from its first attempt to its outcome. Thread-safe. */
final class BlockingCall<T> {
    private final BlockingCalls calls;
    private final String what;
    private final Call call;
    private final @Nullable Commit commit;
    private final boolean isChange;
    private final Callable<T> attempt;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private int failed;
    private boolean isTooLate;
    private boolean isRunning;
    private boolean isInDoubt;
    private @Nullable Exception lastFailure;

    /**
     * @param commit the commit of a change that has a token; otherwise null
     * @param isChange whether an attempt may be applied
     */
    BlockingCall(
            BlockingCalls calls,
            String what,
            Call call,
            @Nullable Commit commit,
            boolean isChange,
            Callable<T> attempt) {
        this.calls = calls;
        this.what = what;
        this.call = call;
        this.commit = commit;
        this.isChange = isChange;
        this.attempt = attempt;
    }

    CompletableFuture<T> start() {
        if (!calls.timers.isClosed()) {
            submit(); // before the timer starts, so that the attempt does not wait for the timer
        }
        runAfter(call.remainingForRetry(), this::expireUnlessRunning);
        return result;
    }

    /** Runs a check after this time, or when the timers are closed, unless the call has ended before. */
    private void runAfter(Duration time, Consumer<@Nullable Throwable> check) {
        CompletableFuture<Void> due = calls.timers.after(time.toNanos());
        CompletableFuture<?> unused = due.whenComplete((passed, closed) -> check.accept(closed));
        CompletableFuture<?> unusedToo = result.whenComplete((value, failure) -> due.cancel(false));
    }

    /**
     * Ends the call when no attempt may start any more. At the deadline, it would be too late for the caller to learn
     * the outcome.
     */
    private void expireUnlessRunning(@Nullable Throwable closed) {
        synchronized (this) {
            isTooLate = !isRunning;
        }
        if (closed != null || isTooLate) {
            expire(closed);
        } else if (!result.isDone()) {
            runAfter(call.remaining(), this::expire);
        }
    }

    private void submit() {
        try {
            calls.executor.execute(this::run);
        } catch (RejectedExecutionException e) {
            end("no thread was free", e);
        }
    }

    private void run() {
        if (!tryBegin()) {
            return;
        }
        try {
            result.complete(attempt.call());
        } catch (CounterException e) {
            if (e.outcome() == Outcome.UNKNOWN) {
                retry(e, true);
            } else {
                result.completeExceptionally(endRun() ? unknown(Reasons.of(e), e) : e);
            }
        } catch (Exception e) {
            switch (calls.classifier.apply(e)) {
                case TRANSIENT -> retry(e, false);
                case PERMANENT -> {
                    endRun();
                    end(Reasons.of(e), e);
                }
                case UNKNOWN -> retry(e, true);
            }
        } catch (Throwable e) {
            result.completeExceptionally(isChange ? unknown(Reasons.of(e), e) : notApplied(Reasons.of(e), e));
        }
    }

    /** Begins an attempt, unless the call has ended. An attempt that has begun may be applied. */
    private synchronized boolean tryBegin() {
        isRunning = !isTooLate && !result.isDone() && call.remaining().toNanos() > 0;
        return isRunning;
    }

    /** Ends an attempt that was not applied. Returns whether an earlier one may have been applied. */
    private synchronized boolean endRun() {
        isRunning = false;
        return isInDoubt && isChange;
    }

    private void retry(Exception failure, boolean isUnknown) {
        long pause;
        synchronized (this) {
            isRunning = false;
            isInDoubt |= isUnknown;
            lastFailure = failure;
            failed++;
            pause = calls.backoff.nanos(failed, ThreadLocalRandom.current());
        }
        if (result.isDone()) {
            return;
        }
        if (pause >= call.remainingForRetry().toNanos()) {
            end(Reasons.of(failure), failure);
            return;
        }
        call.reportRetry(failure);
        CompletableFuture<?> unused = calls.timers.after(pause).whenComplete((due, closed) -> {
            if (closed == null) {
                submit();
            } else {
                end(Reasons.of(failure), failure);
            }
        });
    }

    private void expire(@Nullable Throwable closed) {
        if (closed == null) {
            Exception failure = lastFailure();
            String waiting =
                    isTooLate ? "the deadline passed before a thread or connection was free" : "the deadline passed";
            end(failure == null ? waiting : "the deadline passed after " + Reasons.of(failure), failure);
        } else if (!result.isDone()) {
            end(Reasons.of(closed), closed);
        }
    }

    private synchronized @Nullable Exception lastFailure() {
        return lastFailure;
    }

    /** Ends the call without an answer from the store. */
    private void end(String why, @Nullable Throwable cause) {
        boolean mayBeApplied;
        synchronized (this) {
            mayBeApplied = isChange && (isRunning || isInDoubt);
        }
        result.completeExceptionally(mayBeApplied ? unknown(why, cause) : notApplied(why, cause));
    }

    private NotAppliedException notApplied(String why, @Nullable Throwable cause) {
        return new NotAppliedException(what + " failed: " + why, cause);
    }

    /** The message does not contain the commit's token, since the API layer adds the token that its caller needs. */
    private RuntimeException unknown(String why, @Nullable Throwable cause) {
        String message = what + " may have been applied: " + why;
        return commit == null
                ? new IllegalStateException(message + "; repeat it", cause)
                : new OutcomeUnknownException(message, commit.token(), cause);
    }
}
