package io.counterkit.verification.broken.flaw;

import io.counterkit.CounterException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Replaces failures of futures. */
public final class Futures {
    private Futures() {}

    /** Replaces a failure of this class by the result of {@code recovery}. */
    public static <T, F extends CounterException> CompletableFuture<T> recover(
            CompletableFuture<T> future, Class<F> failure, Function<F, CompletableFuture<T>> recovery) {
        return future.exceptionallyCompose(thrown -> {
            Throwable cause = io.counterkit.spi.Futures.unwrap(thrown);
            return failure.isInstance(cause)
                    ? recovery.apply(failure.cast(cause))
                    : CompletableFuture.failedFuture(cause);
        });
    }

    public static <T> CompletableFuture<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
