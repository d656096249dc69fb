package io.counterkit.internal.batch;

import io.counterkit.ContentionException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns the failures of a backend into those that callers get. */
public final class Failures {
    private Failures() {}

    /**
     * Returns the failure of a change: {@code failure} itself if it states that nothing was applied, otherwise an
     * {@link OutcomeUnknownException}.
     *
     * @param cover returns the token that this caller needs
     */
    public static Throwable ofChange(Throwable failure, String what, Supplier<IdempotencyToken> cover) {
        Throwable cause = Futures.unwrap(failure);
        if (!isUnknown(cause)) {
            return cause;
        }
        IdempotencyToken token = cover.get();
        if (cause instanceof OutcomeUnknownException unknown
                && unknown.token().equals(token)
                && String.valueOf(unknown.getMessage()).contains(token.value())) {
            return cause;
        }
        return new OutcomeUnknownException(
                what + ": the store did not say whether it was applied (" + Reasons.of(cause) + "); resolve token "
                        + token + " to learn its outcome",
                token,
                cause);
    }

    /** Returns the failure of a read, after which nothing can have been applied. */
    public static NotAppliedException ofRead(Throwable failure, String what) {
        Throwable cause = Futures.unwrap(failure);
        return cause instanceof NotAppliedException known
                ? known
                : new NotAppliedException(what + " failed: " + Reasons.of(cause), cause);
    }

    /**
     * Returns the failure of a call whose results are incomplete. Returns null if there is one result for each part.
     *
     * @param parts the number of parts of the call
     * @param noun the parts, in the plural
     */
    public static @Nullable IllegalStateException ofResults(@Nullable List<?> results, int parts, String noun) {
        if (results == null || results.size() != parts) {
            return new IllegalStateException("the backend returned " + (results == null ? "no" : results.size())
                    + " results for " + parts + " " + noun);
        }
        return results.stream().allMatch(Objects::nonNull)
                ? null
                : new IllegalStateException("the backend returned a null result");
    }

    /** Returns whether a change that failed with this may have been applied. */
    static boolean isUnknown(Throwable failure) {
        return !(Futures.unwrap(failure) instanceof NotAppliedException);
    }

    /** Returns whether the store refused the request itself; false for contention, timeouts and outages. */
    static boolean isRefusal(Throwable failure) {
        Throwable cause = Futures.unwrap(failure);
        return cause instanceof NotAppliedException
                && cause.getClass() != NotAppliedException.class
                && !(cause instanceof ContentionException);
    }
}
