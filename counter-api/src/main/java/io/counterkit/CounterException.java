package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an operation fails for a reason other than its arguments. {@link #outcome()} states whether anything may
 * have been changed. After an {@link IllegalArgumentException}, an {@link IllegalStateException} (use after close) and
 * an {@link UnsupportedOperationException} (a capability that the backend does not declare), nothing was applied.
 */
public abstract class CounterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CounterException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns the outcome of the operation. */
    public abstract Outcome outcome();
}
