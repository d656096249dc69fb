package io.counterkit.internal.batch;

import io.counterkit.ContentionException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** What a caller is told about whatever a backend failed with. */
public final class Failures {
    private Failures() {}

    /**
     * The failure of a change. An outcome that the backend knows is passed on; anything else is unknown. An unknown
     * outcome gets the token that this caller needs.
     */
    public static Throwable ofChange(Throwable failure, String what, Supplier<IdempotencyToken> cover) {
        Throwable cause = unwrap(failure);
        if (cause instanceof OutcomeUnknownException unknown && unknown.token().equals(cover.get())) {
            return cause;
        }
        if (isUnknown(cause)) {
            IdempotencyToken token = cover.get();
            return new OutcomeUnknownException(
                    what + ": the store did not say whether it was applied (" + Reasons.of(cause) + "); token " + token
                            + " tells",
                    token,
                    cause);
        }
        return cause;
    }

    /** Whether a change that failed so may have been applied. */
    static boolean isUnknown(Throwable failure) {
        Throwable cause = unwrap(failure);
        return cause instanceof OutcomeUnknownException || !(cause instanceof CounterException);
    }

    /** Whether the store refused the request for what it asks, and will again: not for time, contention or an outage. */
    static boolean isOfTheRequest(Throwable failure) {
        Throwable cause = unwrap(failure);
        return !isUnknown(cause)
                && cause.getClass() != NotAppliedException.class
                && !(cause instanceof ContentionException);
    }

    /** The failure of a read, which has nothing to apply. */
    public static Throwable ofRead(Throwable failure, String what) {
        Throwable cause = unwrap(failure);
        return cause instanceof CounterException && !(cause instanceof OutcomeUnknownException)
                ? cause
                : new NotAppliedException(what + " failed: " + Reasons.of(cause), cause);
    }

    /** The result of a completed future, or its failure thrown as itself. */
    public static <T> T join(CompletableFuture<T> completed) {
        try {
            return completed.join();
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

    /** What is inside the wrappers of futures. */
    public static Throwable unwrap(Throwable failure) {
        return Futures.unwrap(failure);
    }
}
