package io.counterkit.migration.internal.routing;

import io.counterkit.CorruptDataException;
import io.counterkit.spi.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Reads many names in one call. If one of them is corrupt, reads each alone, so that only the corrupt one fails. */
public final class BulkRead {
    private BulkRead() {}

    /** Returns a future for each name, in their order. Fails as a whole if the store cannot be read. */
    public static <T> CompletableFuture<List<CompletableFuture<T>>> read(
            List<String> names, Function<List<String>, CompletableFuture<List<T>>> read) {
        return read.apply(names)
                .thenApply(all ->
                        all.stream().map(CompletableFuture::completedFuture).toList())
                .exceptionallyCompose(failure -> Futures.unwrap(failure) instanceof CorruptDataException
                        ? readEach(names, new ArrayList<>(), read)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Reads one name after another, since there may be many. */
    private static <T> CompletableFuture<List<CompletableFuture<T>>> readEach(
            List<String> names,
            List<CompletableFuture<T>> results,
            Function<List<String>, CompletableFuture<List<T>>> read) {
        if (results.size() == names.size()) {
            return CompletableFuture.completedFuture(results);
        }
        CompletableFuture<T> one =
                read.apply(List.of(names.get(results.size()))).thenApply(values -> values.get(0));
        results.add(one);
        return one.handle((value, failure) -> results).thenCompose(unused -> readEach(names, results, read));
    }
}
