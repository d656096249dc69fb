package io.counterkit.migration.internal.job;

import io.counterkit.CorruptDataException;
import io.counterkit.SealedException;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Retries calls that failed and may succeed the next time. Every call of a migration can be repeated. */
public record RetryingCalls(CallerLoop loop) {
    private static final int MOST_ATTEMPTS = 4;
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(150), Duration.ofMillis(600));

    /** Returns the answer of the first attempt that succeeds, or the failure of the last. */
    public <T> CompletableFuture<T> retry(Function<Call, CompletableFuture<T>> call) {
        return retryAfter(loop.call(call), call, 1);
    }

    private <T> CompletableFuture<T> retryAfter(
            CompletableFuture<T> sent, Function<Call, CompletableFuture<T>> call, int attempts) {
        return sent.exceptionallyCompose(failure -> attempts < MOST_ATTEMPTS && isRetryable(Futures.unwrap(failure))
                ? retryAfter(loop.callAfter(BACKOFF.nanos(attempts), call), call, attempts + 1)
                : CompletableFuture.failedFuture(failure));
    }

    /**
     * Returns whether a failure may be retried. Includes exceptions of other types, by which a backend reports an
     * unknown outcome.
     */
    private static boolean isRetryable(Throwable failure) {
        return failure instanceof Exception
                && !(failure instanceof SealedException
                        || failure instanceof CorruptDataException
                        || failure instanceof UnsupportedOperationException
                        || failure instanceof IllegalArgumentException);
    }
}
