package io.counterkit.datastore.internal.store;

import java.util.Locale;
import java.util.regex.Pattern;

/** The meaning of a client's error for the change that failed. */
public enum StoreFailure {
    /** Contention with another writer. A commit may still have been applied. */
    CONTENTION,
    /** The entity of an insert exists. This commit was not applied; an earlier one may have created the entity. */
    EXISTS,
    /** The call or its answer was lost. A commit may have been applied. */
    LOST,
    /** The store cannot be reached: it did not receive the call. */
    NOT_SENT,
    /** The store rejects the call: nothing was applied, and a retry fails too. */
    REFUSED,
    /** An error that the client does not document. A commit may have been applied. */
    UNEXPECTED;

    private static final Pattern ENDED =
            Pattern.compile("transaction.*(closed|expired|no longer|not active|not found|invalid)", Pattern.DOTALL);

    /**
     * Returns whether the message of an error states that its transaction has ended: the store may end a transaction at
     * a conflict, and the next call in it then fails.
     */
    public static boolean isTransactionEnded(RuntimeException error) {
        String message = error.getMessage();
        return message != null
                && ENDED.matcher(message.toLowerCase(Locale.ROOT)).find();
    }

    public boolean isRetriable() {
        return switch (this) {
            case CONTENTION, EXISTS, LOST, NOT_SENT -> true;
            case REFUSED, UNEXPECTED -> false;
        };
    }

    boolean isConflict() {
        return this == CONTENTION || this == EXISTS;
    }

    boolean mayBeApplied() {
        return switch (this) {
            case CONTENTION, LOST, UNEXPECTED -> true;
            case EXISTS, NOT_SENT, REFUSED -> false;
        };
    }
}
