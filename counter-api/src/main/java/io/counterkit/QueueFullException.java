package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when more requests are pending, waiting or in flight, than {@link CountersOptions#queueLimit()} allows, or larger
 * ones than {@link CountersOptions#queueBytes()} does. Nothing was applied. Slow down, or raise the limit if there is
 * memory.
 */
public final class QueueFullException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception. The message says what was attempted and what to do instead. */
    public QueueFullException(String message) {
        this(message, null);
    }

    public QueueFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
