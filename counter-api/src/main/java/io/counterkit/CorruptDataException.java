package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * The store holds something that is not a counter, a sequence or an entry where one should be. It is reported and never
 * read as 0; nothing was changed. The message names the place.
 */
public final class CorruptDataException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates one whose message says what was attempted and what to do instead. */
    public CorruptDataException(String message) {
        this(message, null);
    }

    /** Creates one with the store's own error as its cause. */
    public CorruptDataException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
