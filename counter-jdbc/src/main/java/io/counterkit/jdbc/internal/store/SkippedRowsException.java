package io.counterkit.jdbc.internal.store;

/**
 * Thrown when the database does not write a row, although no row that it shows prevents that: a trigger skips the row,
 * or row level security hides stored rows. The transaction is rolled back.
 */
final class SkippedRowsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** After this many attempts in a row without a newly found token, expired tokens cannot be the only cause. */
    static final int ATTEMPTS = 5;

    SkippedRowsException() {
        super(
                "the database skips rows of CounterKit's tables, or hides them from the user of this connection: remove"
                        + " triggers and row level security from these tables",
                null,
                false,
                false);
    }
}
