package io.counterkit.migration.internal.routing;

import io.counterkit.CorruptDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Asks for many names at once, and for each alone where one of them is corrupt: that one alone is not known then. */
public final class OneByOne {
    private OneByOne() {}

    /** For each name what is said of it, in their order; fails as a whole where the store is not to be read at all. */
    public static <T> CompletableFuture<List<CompletableFuture<T>>> ask(
            List<String> names, Function<List<String>, CompletableFuture<List<T>>> question) {
        return question.apply(names)
                .thenApply(all ->
                        all.stream().map(CompletableFuture::completedFuture).toList())
                .exceptionallyCompose(failure -> Futures.cause(failure) instanceof CorruptDataException
                        ? alone(names, 0, new ArrayList<>(), question)
                        : CompletableFuture.failedFuture(failure));
    }

    /** One after the other: there may be many, and it is rare. */
    private static <T> CompletableFuture<List<CompletableFuture<T>>> alone(
            List<String> names,
            int index,
            List<CompletableFuture<T>> said,
            Function<List<String>, CompletableFuture<List<T>>> question) {
        if (index == names.size()) {
            return CompletableFuture.completedFuture(said);
        }
        CompletableFuture<T> one = question.apply(List.of(names.get(index))).thenApply(answers -> answers.get(0));
        said.add(one);
        return one.handle((answer, failure) -> index + 1).thenCompose(next -> alone(names, next, said, question));
    }
}
