package io.counterkit.firestore.internal.client;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.spi.Call;
import io.counterkit.spi.Timers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The client's requests as futures of the JDK, each bounded by the time of its call, and the pauses between them. No
 * thread waits for any of them. Timers run on threads of the backend's own, which end with {@link #close}. Thread-safe.
 */
public final class Requests implements AutoCloseable {
    /** What the names of the backend's threads begin with. */
    static final String THREADS = "counterkit-firestore";

    private static final long FIRST_PAUSE_MILLIS = 8;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private final Timers timers = Timers.named(THREADS);
    private final StoreClock clock;
    private volatile boolean isClosed;

    /** Creates one that tells {@code clock} the time of each answer. */
    Requests(StoreClock clock) {
        this.clock = clock;
    }

    /**
     * Calls the client, unless the call's time is over; its failure, and the end of that time, complete the future
     * exceptionally. So does {@link #close}, as the end of that time does: what was sent may be applied later.
     */
    public <T> CompletableFuture<T> of(Call call, Supplier<ApiFuture<T>> request) {
        if (isClosed) {
            return CompletableFuture.failedFuture(new IllegalStateException("the backend was closed"));
        }
        long nanos = call.remaining().toNanos();
        if (nanos <= 0) {
            return CompletableFuture.failedFuture(new TimeoutException("the time of the call is over"));
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        long asked = System.nanoTime();
        try {
            ApiFutures.addCallback(
                    request.get(),
                    new ApiFutureCallback<>() {
                        @Override
                        public void onSuccess(T value) {
                            clock.noteAnswer(value, asked);
                            result.complete(value);
                        }

                        @Override
                        public void onFailure(Throwable failure) {
                            result.completeExceptionally(failure);
                        }
                    },
                    MoreExecutors.directExecutor());
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
        if (!result.isDone()) {
            // Not cancelled then: a cancelled commit may land all the same, and its reply is of no use any more.
            CompletableFuture<Void> end = timers.after(nanos);
            CompletableFuture<?> unusedEnd =
                    end.whenComplete((over, closed) -> result.completeExceptionally(new TimeoutException(
                            closed == null
                                    ? "Firestore did not answer in time"
                                    : "the backend was closed before Firestore answered")));
            CompletableFuture<?> unused = result.whenComplete((value, failure) -> end.cancel(false));
        }
        return result;
    }

    /** Completes when {@code future} does, or after a while; never fails. */
    public CompletableFuture<?> atMost(long nanos, CompletableFuture<?> future) {
        CompletableFuture<Void> end = timers.after(nanos);
        return CompletableFuture.anyOf(future, end).handle((done, failure) -> end.cancel(false));
    }

    /**
     * Continues after a pause that doubles with each attempt, shortened at random so that rivals do not meet again, and
     * not longer than the time of the call.
     */
    public <T> CompletableFuture<T> afterPause(Call call, int attempt, Supplier<CompletableFuture<T>> next) {
        return afterPause(call, attempt, 0, next);
    }

    /**
     * The same after contention. Of those who hold locks that the others wait for, all lose in the end, one after the
     * other; the last one gets its locks if those before it do not come back at once. So the pause may be as long as half
     * of the attempt, but not longer than a quarter of the time that is left.
     *
     * @param tookNanos how long the attempt took
     */
    public <T> CompletableFuture<T> afterPause(
            Call call, int attempt, long tookNanos, Supplier<CompletableFuture<T>> next) {
        long left = Math.max(0, call.remaining().toMillis());
        long usual = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(attempt, 20));
        long longest = Math.max(usual, Math.min(TimeUnit.NANOSECONDS.toMillis(tookNanos) / 2, left / 4));
        long pause = ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
        return after(TimeUnit.MILLISECONDS.toNanos(Math.min(pause, left)), next);
    }

    /** Continues after a while; fails if this is closed meanwhile. */
    public <T> CompletableFuture<T> after(long nanos, Supplier<CompletableFuture<T>> next) {
        return timers.after(nanos).thenCompose(due -> next.get());
    }

    /** Runs it after a while, unless the future is cancelled before or this is closed. */
    public CompletableFuture<Void> timer(long nanos, Runnable then) {
        CompletableFuture<Void> timer = timers.after(nanos);
        CompletableFuture<?> unused = timer.thenRun(then);
        return timer;
    }

    /** Ends the threads. Requests that have no answer yet end as if their time were over. */
    @Override
    public void close() {
        isClosed = true;
        timers.close();
    }
}
