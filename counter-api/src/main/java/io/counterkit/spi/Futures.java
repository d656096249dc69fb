package io.counterkit.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** Combines futures and unwraps their failures. */
public final class Futures {
    private Futures() {}

    /**
     * Returns a future of all values, in the order of {@code futures}. It completes after all of them, and fails if one
     * of them failed.
     */
    public static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> {
                    List<T> values = new ArrayList<>(futures.size());
                    futures.forEach(future -> values.add(future.join()));
                    return values;
                });
    }

    /**
     * Calls {@code start} for each of {@code sources}, in groups of {@code most}: a group starts when the previous one
     * has succeeded. Returns a future of all values, in the order of {@code sources}.
     */
    public static <S, T> CompletableFuture<List<T>> inGroups(
            List<S> sources, int most, Function<S, CompletableFuture<T>> start) {
        CompletableFuture<List<T>> results = CompletableFuture.completedFuture(new ArrayList<>());
        for (int from = 0; from < sources.size(); from += most) {
            List<S> group = sources.subList(from, Math.min(sources.size(), from + most));
            results = results.thenCompose(
                    before -> all(group.stream().map(start).toList()).thenApply(more -> {
                        before.addAll(more);
                        return before;
                    }));
        }
        return results;
    }

    /** Waits for a future. Returns its value, or throws its failure without the wrappers that futures add. */
    public static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            Throwable cause = unwrap(e);
            if (cause instanceof RuntimeException failure) {
                throw failure;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** Returns {@code failure} without the wrappers that futures add. */
    public static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }
}
