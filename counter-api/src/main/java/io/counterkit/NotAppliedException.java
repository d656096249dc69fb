package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a call changed nothing and never will, and when a read fails. Repeating the call is safe. If the call had
 * a caller's token, another call may have applied the same change: {@link Counters#resolve(IdempotencyToken) resolve}
 * the token to find out.
 */
public class NotAppliedException extends CounterException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception. The message says what was attempted and why it failed. */
    public NotAppliedException(String message) {
        this(message, null);
    }

    public NotAppliedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public final Outcome outcome() {
        return Outcome.NOT_APPLIED;
    }
}
