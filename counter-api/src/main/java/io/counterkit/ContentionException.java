package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * Other writers kept winning until the retries or the deadline were used up. Nothing was applied: try again later, or
 * give a counter more shards.
 */
public final class ContentionException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates one whose message says what was attempted and what to do instead. */
    public ContentionException(String message) {
        this(message, null);
    }

    /** Creates one with the store's own error as its cause. */
    public ContentionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
