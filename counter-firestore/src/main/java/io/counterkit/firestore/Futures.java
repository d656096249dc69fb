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
import java.util.function.Supplier;

/** The client's futures as those of the JDK, bounded by the time of a call. No thread waits for any of them. */
final class Futures {
    private static final long FIRST_PAUSE_MILLIS = 8;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private Futures() {}

    /** Calls the client; its failure, and the end of the call's time, complete the future exceptionally. */
    static <T> CompletableFuture<T> of(Call call, Supplier<ApiFuture<T>> request) {
        long nanos = call.remaining().toNanos();
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
        return result.isDone() ? result : result.orTimeout(Math.max(1, nanos), TimeUnit.NANOSECONDS);
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

    /** Goes on after a pause that doubles with each attempt, shortened at random so that rivals do not meet again. */
    static <T> CompletableFuture<T> afterPause(int attempt, Supplier<CompletableFuture<T>> next) {
        long longest = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(attempt, 20));
        long pause = ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
        Executor later = CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS, Runnable::run);
        return CompletableFuture.runAsync(() -> {}, later).thenCompose(paused -> next.get());
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
