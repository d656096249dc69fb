package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * The total of the counter is outside ±2<sup>62</sup>, so that it cannot be told exactly. Nothing was changed by this
 * call. Adds are still accepted and may bring the total back into range; {@link Counter#reset()} always does.
 */
public final class CounterOverflowException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates one whose message says what was attempted and what to do instead. */
    public CounterOverflowException(String message) {
        this(message, null);
    }

    /** Creates one with the store's own error as its cause. */
    public CounterOverflowException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
