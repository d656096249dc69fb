package io.counterkit.migration.internal.routing;

import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.util.concurrent.CompletableFuture;

/** Converts the failures of steps before a request, which was then not applied. */
public final class NotApplied {
    private NotApplied() {}

    /** Returns the failure of a move that was refused. */
    static NotAppliedException move(String name, String why) {
        return new NotAppliedException("move of '" + name + "': " + why);
    }

    /** Returns the failure of a move, with {@code why} as the failed step. */
    static NotAppliedException move(String name, String why, Throwable failure) {
        return new NotAppliedException("move of '" + name + "': " + why + ": " + Reasons.of(failure), failure);
    }

    /** Returns a failure that states that nothing was applied, with {@code what} as the failed step. */
    public static CounterException because(Throwable failure, String what) {
        Throwable cause = Futures.unwrap(failure);
        return cause instanceof NotAppliedException known
                ? known
                : new NotAppliedException(what + ": " + Reasons.of(cause), cause);
    }

    /** Returns a future that fails with {@link #because} if {@code step} fails. */
    public static <T> CompletableFuture<T> ifFailed(CompletableFuture<T> step, String what) {
        return step.exceptionallyCompose(failure -> CompletableFuture.failedFuture(because(failure, what)));
    }
}
