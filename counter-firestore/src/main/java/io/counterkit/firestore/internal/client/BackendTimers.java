package io.counterkit.firestore.internal.client;

import io.counterkit.spi.Backoff;
import io.counterkit.spi.Call;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** The timers of a backend, and the pauses between its attempts. They run on the backend's own threads. Thread-safe. */
public final class BackendTimers {
    /** The prefix of the names of the threads. */
    static final String THREADS = "counterkit-firestore";

    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(8), Duration.ofSeconds(1));

    private final Timers timers = Timers.named(THREADS);

    BackendTimers() {}

    /**
     * Continues after a pause that grows with each failure, within the deadline.
     *
     * @param failed how many attempts failed in a row, 1 or more
     */
    public <T> CompletableFuture<T> afterPause(Call call, int failed, Supplier<CompletableFuture<T>> next) {
        return afterPause(call, failed, 0, next);
    }

    /**
     * Continues after a pause as {@link #afterPause(Call, int, Supplier)} does, or after a longer one if there was
     * contention. Transactions that wait for each other's locks fail one after another; the last one gets its locks if
     * the others do not return immediately. So the pause may be up to half as long as the attempt, but at most a
     * quarter of the time left.
     *
     * @param tookNanos how long the attempt took
     */
    public <T> CompletableFuture<T> afterPause(
            Call call, int failed, long tookNanos, Supplier<CompletableFuture<T>> next) {
        long left = Math.max(0, call.remaining().toNanos());
        long longest = Math.max(BACKOFF.nanos(failed), Math.min(tookNanos / 2, left / 4));
        long pause = new Backoff(longest, longest).nanos(1, ThreadLocalRandom.current());
        return after(Math.min(pause, left)).thenCompose(due -> next.get());
    }

    /**
     * Returns a future that completes after {@code nanos}, and fails with {@link GivenUpException} if the backend
     * is closed first.
     */
    public CompletableFuture<Void> after(long nanos) {
        return start(nanos).exceptionallyCompose(closed -> CompletableFuture.failedFuture(GivenUpException.closed()));
    }

    /** Runs a task after {@code nanos}, unless the returned future is cancelled or the backend is closed first. */
    public CompletableFuture<Void> runAfter(long nanos, Runnable task) {
        CompletableFuture<Void> timer = start(nanos);
        CompletableFuture<?> unused = timer.thenRun(task);
        return timer;
    }

    /** Returns a future that completes with {@code future} or after {@code nanos}. It never fails. */
    public CompletableFuture<?> atMost(long nanos, CompletableFuture<?> future) {
        CompletableFuture<Void> end = start(nanos);
        return CompletableFuture.anyOf(future, end).handle((done, failure) -> end.cancel(false));
    }

    /** Starts a timer that may be cancelled. It fails if the backend is closed first. */
    CompletableFuture<Void> start(long nanos) {
        return timers.after(nanos);
    }

    /** Ends the threads. */
    void close() {
        timers.close();
    }
}
