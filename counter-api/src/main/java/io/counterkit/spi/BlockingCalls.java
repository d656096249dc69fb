package io.counterkit.spi;

import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.Outcome;
import io.counterkit.OutcomeUnknownException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls a store whose client blocks. Each call runs on an executor, is retried until its deadline, and ends with the
 * right outcome. Thread-safe.
 *
 * <p>An attempt is the whole operation: a transaction from its begin to its commit. A change is retried even if its
 * outcome is unknown. So an attempt first looks for its tokens, and stores them in the transaction of the change.
 *
 * <p>If the outcome of an attempt is unknown, the outcome of the change stays unknown until an attempt returns. The
 * failure of a later attempt states nothing about an earlier one.
 *
 * <p>No retry starts too shortly before the deadline: {@link Call#remainingForRetry}. A call whose first attempt has not
 * started by then, because the executor was busy, ends without having been applied.
 */
public final class BlockingCalls implements AutoCloseable {
    private final Executor executor;
    private final Backoff backoff;
    private final Function<Exception, Failure> classifier;
    private final Timers timers;

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
     * @param classifier classifies what an attempt throws, except a {@link CounterException}, which states its outcome
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
        return new Run<>(what, call, null, false, attempt).start();
    }

    /**
     * Runs a change that has no token, because it may be repeated: the operations of {@link MigrationStore} that import. The
     * future fails with {@link NotAppliedException}, or a subclass that an attempt throws, if no attempt was applied or
     * ever will be; otherwise with an {@link IllegalStateException}, which leaves the outcome open.
     *
     * @param what the change in words, for messages: "importing 'likes'"
     */
    public <T> CompletableFuture<T> repeatable(String what, Call call, Callable<T> attempt) {
        return new Run<>(what, call, null, true, attempt).start();
    }

    /**
     * Runs a change. The future fails with {@link NotAppliedException}, or a subclass that an attempt throws, if no attempt
     * was applied or ever will be; or with {@link OutcomeUnknownException}.
     *
     * @param what the change in words, for messages: "adding to 'likes'"
     */
    public <T> CompletableFuture<T> change(String what, Commit commit, Callable<T> attempt) {
        return new Run<>(what, commit, commit, true, attempt).start();
    }

    /** Ends the timers: calls that are to be retried fail. Does not end the executor. */
    @Override
    public void close() {
        timers.close();
    }

    private final class Run<T> {
        private final String what;
        private final Call call;
        private final @Nullable Commit commit;
        private final boolean isChange;
        private final Callable<T> attempt;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private int failed;
        private boolean hasBegun;
        private boolean isTooLate;
        private boolean isRunning;
        private boolean isInDoubt;
        private @Nullable Exception lastFailure;

        Run(String what, Call call, @Nullable Commit commit, boolean isChange, Callable<T> attempt) {
            this.what = what;
            this.call = call;
            this.commit = commit;
            this.isChange = isChange;
            this.attempt = attempt;
        }

        CompletableFuture<T> start() {
            runAfter(call.remainingForRetry(), this::expireUnlessBegun);
            submit();
            return result;
        }

        /** Runs a check after this time, or when the timers are closed, unless the call has ended before. */
        private void runAfter(Duration time, Consumer<@Nullable Throwable> check) {
            CompletableFuture<Void> due = timers.after(time.toNanos());
            CompletableFuture<?> unused = due.whenComplete((passed, closed) -> check.accept(closed));
            CompletableFuture<?> unusedToo = result.whenComplete((value, failure) -> due.cancel(false));
        }

        private void expireUnlessBegun(@Nullable Throwable closed) {
            synchronized (this) {
                isTooLate = !hasBegun;
            }
            if (closed != null) {
                expire(closed);
            } else if (isTooLate) {
                end("all threads or connections were in use until the deadline", null);
            } else if (!result.isDone()) {
                runAfter(call.remaining(), this::expire);
            }
        }

        private void submit() {
            try {
                executor.execute(this::run);
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
                    result.completeExceptionally(endedRun() ? unknown(Reasons.of(e), e) : e);
                }
            } catch (Exception e) {
                switch (classifier.apply(e)) {
                    case TRANSIENT -> retry(e, false);
                    case PERMANENT -> {
                        endedRun();
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
            hasBegun |= isRunning;
            return isRunning;
        }

        /** Records that the attempt was not applied, and returns whether an earlier one may have been. */
        private synchronized boolean endedRun() {
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
                pause = backoff.nanos(failed, ThreadLocalRandom.current());
            }
            if (result.isDone()) {
                return;
            }
            if (pause >= call.remainingForRetry().toNanos()) {
                end(Reasons.of(failure), failure);
                return;
            }
            call.reportRetry(failure);
            CompletableFuture<?> unused = timers.after(pause).whenComplete((due, closed) -> {
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
                end("the deadline passed" + (failure == null ? "" : " after " + Reasons.of(failure)), failure);
            } else if (!result.isDone()) {
                end(Reasons.of(closed), closed);
            }
        }

        private synchronized @Nullable Exception lastFailure() {
            return lastFailure;
        }

        /** Ends the call without an answer of the store. */
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

        private RuntimeException unknown(String why, @Nullable Throwable cause) {
            String message = what + " may have been applied: " + why;
            return commit == null
                    ? new IllegalStateException(message + "; repeat it", cause)
                    : new OutcomeUnknownException(message + "; resolve token " + commit.token(), commit.token(), cause);
        }
    }
}
