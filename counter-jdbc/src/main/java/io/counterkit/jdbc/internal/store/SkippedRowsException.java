package io.counterkit.jdbc.internal.store;

/**
 * The database has not written a row, and shows nothing that is in the way. A trigger skips the row, or row level security
 * hides what is stored. The transaction is rolled back.
 */
final class SkippedRowsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Fewer attempts may fail because of tokens that expire meanwhile. */
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
