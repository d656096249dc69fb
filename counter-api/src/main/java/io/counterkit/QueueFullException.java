package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * More requests are waiting than {@link CountersOptions#queueLimit()} allows, or larger ones than {@link
 * CountersOptions#queueBytes()} does. Nothing was applied: slow down, or raise the limit if the memory is there.
 */
public final class QueueFullException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates one whose message says what was attempted and what to do instead. */
    public QueueFullException(String message) {
        this(message, null);
    }

    /** Creates one with the store's own error as its cause. */
    public QueueFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
