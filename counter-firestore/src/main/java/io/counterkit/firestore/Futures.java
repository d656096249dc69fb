package io.counterkit.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.api.core.SettableApiFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** The client's futures as those of the JDK, bounded by the time of a call. No thread waits for any of them. */
final class Futures {
    private static final long FIRST_PAUSE_MILLIS = 8;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private Futures() {}

    /**
     * Calls the client, unless the call's time is over; its failure, and the end of that time, complete the future
     * exceptionally.
     */
    static <T> CompletableFuture<T> of(Call call, Supplier<ApiFuture<T>> request) {
        long nanos = call.remaining().toNanos();
        if (nanos <= 0) {
            return CompletableFuture.failedFuture(new TimeoutException("the time of the call is over"));
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            ApiFutures.addCallback(
                    request.get(),
                    new ApiFutureCallback<>() {
                        @Override
                        public void onSuccess(T value) {
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
        // Not cancelled then: a cancelled commit may land all the same, and its reply is of no use any more.
        return result.isDone()
                ? result
                : result.orTimeout(nanos, TimeUnit.NANOSECONDS).exceptionallyComposeAsync(Futures::failed);
    }

    /** Away from the one thread that runs all timeouts of the JVM: callers' own code may follow. */
    private static <T> CompletableFuture<T> failed(Throwable failure) {
        Throwable cause = FirestoreErrors.unwrapped(failure);
        return CompletableFuture.failedFuture(
                cause instanceof TimeoutException && cause.getMessage() == null
                        ? new TimeoutException("Firestore did not answer in time")
                        : cause);
    }

    /** The other way round, for what the client's transactions ask for. */
    static <T> ApiFuture<T> toApi(CompletableFuture<T> future) {
        SettableApiFuture<T> result = SettableApiFuture.create();
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> {
            if (failure == null) {
                result.set(value);
            } else {
                result.setException(FirestoreErrors.unwrapped(failure));
            }
        });
        return result;
    }

    /**
     * Goes on after a pause that doubles with each attempt, shortened at random so that rivals do not meet again, and not
     * longer than the time of the call.
     */
    static <T> CompletableFuture<T> afterPause(Call call, int attempt, Supplier<CompletableFuture<T>> next) {
        return afterPause(call, attempt, 0, next);
    }

    /**
     * The same after contention. Of those who hold locks that the others wait for, all lose in the end, one after the
     * other; the last one gets its locks if those before it do not come back at once. So the pause may be as long as half
     * of the attempt, but not longer than a quarter of the time that is left.
     *
     * @param tookNanos how long the attempt took
     */
    static <T> CompletableFuture<T> afterPause(
            Call call, int attempt, long tookNanos, Supplier<CompletableFuture<T>> next) {
        long left = Math.max(0, call.remaining().toMillis());
        long usual = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(attempt, 20));
        long longest = Math.max(usual, Math.min(TimeUnit.NANOSECONDS.toMillis(tookNanos) / 2, left / 4));
        long pause = ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
        return after(Math.min(pause, left), TimeUnit.MILLISECONDS, next);
    }

    /** Goes on after a while, on a thread of the JDK's common pool. */
    static <T> CompletableFuture<T> after(long pause, TimeUnit unit, Supplier<CompletableFuture<T>> next) {
        Executor later = CompletableFuture.delayedExecutor(pause, unit);
        return CompletableFuture.runAsync(() -> {}, later).thenCompose(paused -> next.get());
    }

    /** Runs it after a while, on a thread of the JDK's common pool, unless the future is cancelled before. */
    static CompletableFuture<Void> timer(long pause, TimeUnit unit, Runnable then) {
        CompletableFuture<Void> timer = new CompletableFuture<Void>().completeOnTimeout(null, pause, unit);
        CompletableFuture<?> unused = timer.thenRunAsync(then);
        return timer;
    }

    /** Starts {@code most} at a time, the next ones when those are done, and gives all results in order. */
    static <S, T> CompletableFuture<List<T>> inTurns(
            List<S> sources, int most, Function<S, CompletableFuture<T>> start) {
        CompletableFuture<List<T>> results = CompletableFuture.completedFuture(new ArrayList<>());
        for (int from = 0; from < sources.size(); from += most) {
            List<S> some = sources.subList(from, Math.min(sources.size(), from + most));
            results = results.thenCompose(
                    before -> all(some.stream().map(start).toList()).thenApply(more -> {
                        before.addAll(more);
                        return before;
                    }));
        }
        return results;
    }

    /** All of them, in order. */
    static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<T> values = new ArrayList<>(futures.size());
                    futures.forEach(future -> values.add(future.join()));
                    return values;
                });
    }
}
