package io.counterkit;

/**
 * Thrown when a change does not fit the state of its subject: it adds a live subject, or updates or removes one that is
 * not live. Nothing was appended and no number was used.
 */
public final class ChangeRefusedException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception. The message says what was attempted and what to do instead. */
    public ChangeRefusedException(String message) {
        super(message);
    }
}
