package io.counterkit.jdbc.internal.sql;

/** Ends a transaction whose assumption was wrong. The attempt then reads the tokens or seals, and begins again. */
public final class IncompleteException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public IncompleteException() {
        super("a token or a seal was stored before", null, false, false);
    }
}
