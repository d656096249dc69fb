package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * An operation did not succeed, for a reason that is not the caller's argument. Every subclass says in
 * {@link #outcome()} whether anything may have been changed. Argument errors are {@link IllegalArgumentException},
 * use after close is {@link IllegalStateException}, and an ability that the backend does not declare is
 * {@link UnsupportedOperationException}; with those three nothing was applied.
 */
public abstract class CounterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CounterException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** What became of the operation. */
    public abstract Outcome outcome();
}
