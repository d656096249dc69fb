package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when stored data is not the counter, sequence or entry that it should be. It is never read as 0. Nothing was
 * changed. The message names the place.
 */
public final class CorruptDataException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception. The message says what was attempted and what to do instead. */
    public CorruptDataException(String message) {
        this(message, null);
    }

    public CorruptDataException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
