package io.counterkit.jdbc.internal.sql;

import io.counterkit.CorruptDataException;
import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Reasons;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/**
 * Classifies result codes of SQLite. Before COMMIT, the transaction is certainly not applied. After an error of the
 * file during COMMIT, the outcome is unknown: the transaction may be complete when the file is opened again.
 */
final class SqliteErrors {
    private static final int PERM = 3;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int NOMEM = 7;
    private static final int READONLY = 8;
    private static final int INTERRUPT = 9;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int PROTOCOL = 15;
    private static final int SCHEMA = 17;
    private static final int AUTH = 23;
    private static final int CONSTRAINT = 19;
    private static final int NOTADB = 26;

    private SqliteErrors() {}

    static boolean isBusy(SQLException e) {
        int code = code(e);
        return code == BUSY || code == LOCKED;
    }

    /**
     * Returns the primary result code of the driver's exception, which a data source may wrap. The driver never sets an
     * SQLSTATE.
     */
    static int code(SQLException e) {
        return Reasons.chain(e)
                .mapToInt(cause -> cause instanceof SQLException sql ? sql.getErrorCode() & 0xff : 0)
                .filter(code -> code != 0)
                .findFirst()
                .orElse(0);
    }

    /** Returns whether the driver's exception, which a data source may wrap, has these words in its message. */
    static boolean contains(SQLException e, String words) {
        return Reasons.chain(e)
                .anyMatch(cause -> String.valueOf(cause.getMessage()).contains(words));
    }

    /** Classifies an error of a new connection, whose settings the driver sets immediately, or of a pool. */
    static StoreFailure notConnected(SQLException e) {
        if (e instanceof SQLTransientConnectionException) {
            return failure(
                    Failure.TRANSIENT,
                    false,
                    "the data source has no free connection, and up to six are used at once",
                    e);
        }
        return Reasons.chain(e)
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .filter(SqliteErrors::isOfDriver)
                .findFirst()
                .map(SqliteErrors::ofDriver)
                // Of a pool, which sets no code.
                .orElseGet(() -> failure(Failure.TRANSIENT, false, "no connection from the data source", e));
    }

    /** Returns whether the driver has thrown an exception, which has no code if the file's directory is missing. */
    private static boolean isOfDriver(SQLException e) {
        StackTraceElement[] trace = e.getStackTrace();
        return e.getErrorCode() != 0
                || (trace.length > 0 && trace[0].getClassName().startsWith("org.sqlite."));
    }

    private static StoreFailure ofDriver(SQLException e) {
        return isBusy(e)
                ? failure(
                        Failure.TRANSIENT,
                        true,
                        "the file is locked for a new connection; its URL may not set another journal mode than WAL",
                        e)
                : beforeCommit(e);
    }

    static StoreFailure beforeCommit(SQLException e) {
        return switch (code(e)) {
            case BUSY, LOCKED -> failure(Failure.TRANSIENT, true, wordsOfBusy(e), e);
            case NOMEM, INTERRUPT, PROTOCOL, SCHEMA ->
                failure(Failure.TRANSIENT, false, "SQLite could not finish the statement", e);
            case IOERR -> failure(Failure.TRANSIENT, false, "the file could not be read or written", e);
            case FULL -> failure(Failure.TRANSIENT, false, "the disk is full", e);
            case READONLY ->
                failure(
                        Failure.PERMANENT,
                        false,
                        "the file can only be read; make it, its directory and the files -wal and -shm beside it writable",
                        e);
            case CANTOPEN ->
                failure(
                        Failure.PERMANENT,
                        false,
                        "the file cannot be opened; its directory must exist and be writable",
                        e);
            case PERM, AUTH -> failure(Failure.PERMANENT, false, "the file may not be used", e);
            case CORRUPT, NOTADB ->
                throw new CorruptDataException("the database file is damaged: " + e.getMessage(), e);
            default -> failure(Failure.PERMANENT, false, "SQLite refused the statement", e);
        };
    }

    /**
     * Classifies an error in a transaction of the application, which waits for the write lock unless it has read
     * before.
     */
    static StoreFailure within(SQLException e) {
        return isBusy(e) && !isOfSnapshot(e)
                ? failure(
                        Failure.TRANSIENT,
                        true,
                        "another transaction keeps the write lock; if this one has read before, it does not wait for it:"
                                + " begin with the backend, then read",
                        e)
                : beforeCommit(e);
    }

    /** The driver gives the primary result code only; its message begins with the full one. */
    private static boolean isOfSnapshot(SQLException e) {
        return contains(e, "SQLITE_BUSY_SNAPSHOT");
    }

    private static String wordsOfBusy(SQLException e) {
        return isOfSnapshot(e)
                ? "the file has changed since this transaction first read it: begin with the backend, then read"
                : "another transaction kept the write lock too long";
    }

    /** Classifies an error of a statement of the application, which only the application can have interrupted. */
    static StoreFailure ofApplication(SQLException e) {
        return code(e) == INTERRUPT
                ? failure(Failure.PERMANENT, false, "a statement of the application was interrupted", e)
                : beforeCommit(e);
    }

    static StoreFailure atCommit(SQLException e) {
        return switch (code(e)) {
            case BUSY, LOCKED -> failure(Failure.TRANSIENT, true, "another transaction conflicted with this one", e);
            case FULL -> failure(Failure.TRANSIENT, false, "the disk is full", e);
            case CONSTRAINT -> failure(Failure.PERMANENT, false, "the commit was refused", e);
            default -> failure(Failure.UNKNOWN, false, "the commit failed", e);
        };
    }

    /**
     * Classifies an error of a commit by the driver. The driver may begin the next transaction in the same call, and
     * fail because the file is locked.
     */
    static StoreFailure atCallersCommit(SQLException e) {
        return isBusy(e)
                ? failure(Failure.UNKNOWN, false, "another transaction conflicted with this one", e)
                : atCommit(e);
    }

    /** Returns the failure of a part of a transaction that SQLite has ended before. */
    static StoreFailure ended() {
        return new StoreFailure(
                Failure.PERMANENT,
                false,
                "the transaction has ended: SQLite rolls it back after some errors, such as a full disk;"
                        + " roll back, and run all of it again",
                null);
    }

    private static StoreFailure failure(Failure outcome, boolean isConflict, String words, SQLException e) {
        return new StoreFailure(outcome, isConflict, words + ": " + e.getMessage(), e);
    }
}
