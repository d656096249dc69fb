package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * This call changed nothing and never will; with a token of the caller's, another call may have applied the same change.
 * Repeating it is safe, and {@link Counters#resolve(IdempotencyToken)} tells about the token. Also what a failed read
 * gets, which has nothing to apply.
 */
public class NotAppliedException extends CounterException {
    private static final long serialVersionUID = 1L;

    /** Creates one whose message says what was attempted and why it failed. */
    public NotAppliedException(String message) {
        this(message, null);
    }

    /** Creates one with the store's own error as its cause. */
    public NotAppliedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public final Outcome outcome() {
        return Outcome.NOT_APPLIED;
    }
}
