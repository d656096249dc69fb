package io.counterkit.jdbc.internal.sql;

import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Reasons;
import org.jspecify.annotations.Nullable;

/** A failure of the database, with the outcome of the transaction. */
public final class StoreFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final Failure outcome;
    private final boolean isConflict;

    StoreFailure(Failure outcome, boolean isConflict, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.outcome = outcome;
        this.isConflict = isConflict;
    }

    /** Returns the failure of a data source that has thrown an unchecked exception or an error instead of connecting. */
    static StoreFailure notConnected(Throwable e) {
        return new StoreFailure(Failure.PERMANENT, false, "no connection to the database: " + Reasons.of(e), e);
    }

    /** Returns the outcome of the transaction. */
    public Failure outcome() {
        return outcome;
    }

    /** Returns whether another transaction caused the failure. */
    public boolean isConflict() {
        return isConflict;
    }
}
