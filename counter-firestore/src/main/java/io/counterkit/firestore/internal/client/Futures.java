package io.counterkit.firestore.internal.client;

import com.google.api.core.ApiFuture;
import com.google.api.core.SettableApiFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Several futures as one, and the JDK's as the client's. */
public final class Futures {
    private Futures() {}

    /** A future of the JDK's as one of the client's, for what the client's transactions ask for. */
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

    /** Starts {@code most} at a time, the next ones when those are done, and gives all results in order. */
    public static <S, T> CompletableFuture<List<T>> inTurns(
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
    public static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    List<T> values = new ArrayList<>(futures.size());
                    futures.forEach(future -> values.add(future.join()));
                    return values;
                });
    }
}
