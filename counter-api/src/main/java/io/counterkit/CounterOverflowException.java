package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the total of a counter is outside ±2<sup>62</sup>, where it may not be exact. Nothing was changed by this
 * call. Adds are still accepted and may bring the total back into range; {@link Counter#reset()} always does.
 */
public final class CounterOverflowException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception. The message says what was attempted and what to do instead. */
    public CounterOverflowException(String message) {
        this(message, null);
    }

    public CounterOverflowException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
