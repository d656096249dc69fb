package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when conflicts with other writers lasted until the retries were exhausted or the deadline passed. Nothing was
 * applied. Try again later, or give a counter on Firestore more shards.
 */
public final class ContentionException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception. The message says what was attempted and what to do instead. */
    public ContentionException(String message) {
        this(message, null);
    }

    public ContentionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
