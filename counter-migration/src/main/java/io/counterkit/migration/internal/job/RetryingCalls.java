package io.counterkit.migration.internal.job;

import io.counterkit.CorruptDataException;
import io.counterkit.SealedException;
import io.counterkit.migration.internal.routing.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Sends a call again that failed and may succeed the next time; everything in a migration may be sent again. */
public final class RetryingCalls {
    private static final int MOST = 4;
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

    private final CallerLoop loop;

    public RetryingCalls(CallerLoop loop) {
        this.loop = loop;
    }

    /** What the call gives, at the fourth attempt at the latest. */
    public <T> CompletableFuture<T> of(Supplier<CompletableFuture<T>> call) {
        return next(loop.call(call), call, 1);
    }

    private <T> CompletableFuture<T> next(
            CompletableFuture<T> sent, Supplier<CompletableFuture<T>> call, int attempts) {
        return sent.exceptionallyCompose(failure -> attempts < MOST && isWorthAnother(Futures.cause(failure))
                ? next(loop.callAfter(FIRST_PAUSE << (2 * attempts - 2), call), call, attempts + 1)
                : CompletableFuture.failedFuture(failure));
    }

    /** Also what is none of our exceptions: so a backend says that the outcome is open. */
    private static boolean isWorthAnother(Throwable failure) {
        return failure instanceof Exception
                && !(failure instanceof SealedException
                        || failure instanceof CorruptDataException
                        || failure instanceof UnsupportedOperationException
                        || failure instanceof IllegalArgumentException);
    }
}
