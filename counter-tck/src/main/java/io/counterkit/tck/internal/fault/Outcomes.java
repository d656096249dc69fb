package io.counterkit.tck.internal.fault;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Determines whether changes were applied. */
public final class Outcomes {
    private Outcomes() {}

    /**
     * Makes a change and returns whether it was applied.
     *
     * @param beforeResolving called before an unknown outcome is resolved
     * @param resolving the process that resolves it
     */
    public static boolean applyAndResolve(Runnable change, Runnable beforeResolving, Counters resolving) {
        try {
            change.run();
            return true;
        } catch (OutcomeUnknownException e) {
            beforeResolving.run();
            return isApplied(resolving, e.token());
        } catch (NotAppliedException e) {
            return false;
        }
    }

    /** Returns whether a process resolves a token as applied. Repeats the call if a fault hits it. */
    public static boolean isApplied(Counters counters, IdempotencyToken token) {
        for (int attempt = 1; ; attempt++) {
            try {
                return counters.resolve(token).applied();
            } catch (OutcomeUnknownException e) {
                if (attempt == 20) {
                    throw e;
                }
            }
        }
    }

    /** Throws unless a request was applied. One that has to be sent again was not applied. */
    public static void throwUnlessApplied(Result<?> result) {
        if (result.failure() != null) {
            throw result.failure();
        }
        if (result.isRetry()) {
            throw new NotAppliedException("the request has to be sent again");
        }
    }

    /** Returns the failure of a call; null if it succeeds. */
    public static @Nullable Throwable failureOf(CompletableFuture<?> call) {
        try {
            call.join();
            return null;
        } catch (CompletionException e) {
            return Futures.unwrap(e);
        }
    }
}
