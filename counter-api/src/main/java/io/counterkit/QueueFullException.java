package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request would raise the number of pending requests, waiting or in flight, above {@link
 * CountersOptions#queueLimit()}, or their size above {@link CountersOptions#queueBytes()}. Nothing was applied. Slow
 * down, or raise the limit if there is memory.
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
