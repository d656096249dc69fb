package io.counterkit.migration.internal.routing;

import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Reasons;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What is done with futures of both stores. */
public final class Futures {
    private Futures() {}

    /** What a future really failed with. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? cause(failure.getCause())
                : failure;
    }

    /** The failure of what had to be done before a request could be sent: so that was not applied. */
    public static CounterException notApplied(Throwable failure, String what) {
        Throwable cause = cause(failure);
        return cause instanceof NotAppliedException known
                ? known
                : new NotAppliedException(what + ": " + Reasons.of(cause), cause);
    }

    /** The same future, whose failure says that nothing was applied. */
    public static <T> CompletableFuture<T> beforehand(CompletableFuture<T> step, String what) {
        return step.exceptionallyCompose(failure -> CompletableFuture.failedFuture(notApplied(failure, what)));
    }

    /** What all of them give, in their order; fails if one does. */
    static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> {
                    List<T> values = new ArrayList<>();
                    futures.forEach(future -> values.add(future.join()));
                    return values;
                });
    }
}
