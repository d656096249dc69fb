package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * The operation changed nothing and never will: repeating it is safe. Also what a failed read gets, which has nothing
 * to apply.
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
