package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when stored data cannot be read as a counter, a sequence or an entry. Such data is never reported as 0 and
 * never skipped. Nothing was changed. The message names the document, entity or row.
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
