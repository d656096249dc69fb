package io.counterkit;

import org.jspecify.annotations.Nullable;

/**
 * The change does not fit the state of its subject: it adds one that is live, or updates or removes one that is not.
 * Nothing was appended and no number was used up.
 */
public final class ChangeRefusedException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates one whose message says what was attempted and what to do instead. */
    public ChangeRefusedException(String message) {
        this(message, null);
    }

    /** Creates one with the store's own error as its cause. */
    public ChangeRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
