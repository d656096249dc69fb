package io.counterkit.jdbc.internal.store;

/** Ends a transaction that found something to be different from what it assumed. The attempt looks, and begins again. */
final class IncompleteException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    IncompleteException() {
        super("a token or a seal was stored before", null, false, false);
    }
}
