package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * This call changed nothing and never will: repeating it is safe. It says nothing about earlier calls with the same
 * token; if the outcome of one of those is unknown, {@link Counters#resolve(IdempotencyToken)} tells. Also what a failed
 * read gets, which has nothing to apply.
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
