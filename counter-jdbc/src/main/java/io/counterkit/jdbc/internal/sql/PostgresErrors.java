package io.counterkit.jdbc.internal.sql;

import io.counterkit.CorruptDataException;
import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Reasons;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Classifies errors of PostgreSQL. Before the commit is sent, the transaction is certainly not applied: it ends with
 * its rollback or with its connection. After an error of the commit itself, it is not applied only if the server
 * reports a rollback.
 */
final class PostgresErrors {
    private static final String AMBIGUOUS = "40003"; // of distributed databases that speak PostgreSQL's protocol

    /** The limit of a whole transaction. The server may notice it after the commit. */
    private static final String TRANSACTION_TIMEOUT = "25P04";

    private static final String CANCELLED = "57014";

    /** A transaction that can only read, as all do on a standby. */
    static final String READ_ONLY = "25006";

    /** All errors of PgBouncer itself. */
    private static final String POOLER = "08P01";

    private static final String UNSUPPORTED = "0A000";

    /** A limit of the server, such as the size of the queue of notifications. */
    private static final String LIMIT = "54000";

    /** The error of a cast of a text that is not a number. Statements of CounterKit end themselves with such a cast. */
    static final String INCOMPLETE = "22P02";

    private PostgresErrors() {}

    static StoreFailure notConnected(SQLException e) {
        String state = state(e);
        boolean isRefused = state.startsWith("28") || state.startsWith("3D") || state.startsWith("42");
        return failure(isRefused ? Failure.PERMANENT : Failure.TRANSIENT, e, "no connection to the database");
    }

    /**
     * Classifies an error of a transaction that writes, before its commit is sent. Its statements are short, so a
     * statement that uses up the time of the call has most likely waited for several locks, each for less than the time
     * limit of locks.
     */
    static StoreFailure inTransaction(SQLException e) {
        return state(e).equals(CANCELLED)
                ? conflict(
                        e,
                        "the statement was cancelled or took longer than the time of the call, probably because other"
                                + " transactions kept their locks")
                : beforeCommit(e);
    }

    /**
     * Classifies an error of a statement of the application. If the statement was cancelled, by a time limit of the
     * application or by a person, a retry would take as long or is not wanted.
     */
    static StoreFailure ofApplication(SQLException e) {
        return switch (state(e)) {
            case CANCELLED ->
                failure(Failure.PERMANENT, e, "a statement of the application was cancelled or took too long");
            case UNSUPPORTED -> other(UNSUPPORTED, e);
            default -> beforeCommit(e);
        };
    }

    static StoreFailure beforeCommit(SQLException e) {
        String state = state(e);
        return switch (state) {
            case "40001", "40P01" -> conflict(e, "other transactions conflicted with this one");
            case "55P03" -> conflict(e, "another transaction kept a lock too long");
            case CANCELLED -> failure(Failure.TRANSIENT, e, "the statement took longer than the time of the call");
            case "42P01", "42703" -> failure(Failure.PERMANENT, e, "the tables are not those of this version");
            case "3F000" ->
                failure(
                        Failure.PERMANENT,
                        e,
                        "the schema for the tables does not exist: create it, or correct the option schema or the search"
                                + " path");
            case "42P10" -> failure(Failure.PERMANENT, e, "a table lacks its primary key");
            case UNSUPPORTED -> unsupported(e);
            case "42501" -> failure(Failure.PERMANENT, e, "the user lacks a privilege");
            case "25P02" ->
                failure(
                        Failure.PERMANENT,
                        e,
                        "a statement of the transaction had failed, and its exception was ignored");
            case "26000", "42P05" ->
                failure(
                        Failure.PERMANENT,
                        e,
                        "a pooler has changed the session of this connection: set prepareThreshold=0 in the URL of the"
                                + " driver");
            case POOLER ->
                isWithoutTransactions(e)
                        ? failure(
                                Failure.PERMANENT,
                                e,
                                "the pooler shares sessions between statements: set its pool mode to transaction or session")
                        : other(state, e);
            case READ_ONLY ->
                failure(
                        Failure.TRANSIENT,
                        e,
                        "the transaction can only read; if it was begun as read only, begin it as read write; if the"
                                + " user, the database or the pool is set to read only, change that; if the server is a standby, the data source"
                                + " must lead to the primary server");
            case "XX001", "XX002" -> throw new CorruptDataException("the database is damaged: " + e.getMessage(), e);
            default -> other(state, e);
        };
    }

    /**
     * A prepared statement of a connection is out of date after a column was changed; the driver then forgets it. Rules
     * of the table refuse the statement each time. The keywords of SQL are not translated.
     */
    private static StoreFailure unsupported(SQLException e) {
        return contains(e, "RETURNING") || contains(e, "ON CONFLICT") || contains(e, "WITH")
                ? failure(Failure.PERMANENT, e, "a table has rules; remove them")
                : failure(Failure.TRANSIENT, e, "the tables have changed");
    }

    private static StoreFailure other(String state, SQLException e) {
        if (state.equals(LIMIT) && contains(e, "NOTIFY")) {
            return failure(
                    Failure.TRANSIENT,
                    e,
                    "the server's queue of notifications is full: end the transaction of the session that listens and has"
                            + " the oldest one");
        }
        return failure(isTransient(state) ? Failure.TRANSIENT : Failure.PERMANENT, e, null);
    }

    /** Returns whether the next attempt may succeed, by the class of the state. */
    private static boolean isTransient(String state) {
        return switch (classOf(state)) {
            case "", // the driver's own failures have no state
                    "08", // connection
                    "25", // state of the transaction, which ends
                    "40", // rolled back by the server
                    "53", // resources
                    "55", // not in the needed state
                    "57", // operator: cancelled, shut down, starting
                    "58" // system
            -> true;
            default -> false;
        };
    }

    /** Classifies an error of a commit. If a deferred trigger or constraint refuses it, the server rolls back. */
    static StoreFailure atCommit(SQLException e) {
        String state = state(e);
        boolean mayBeCommitted = state.equals(AMBIGUOUS) || state.equals(TRANSACTION_TIMEOUT);
        return switch (mayBeCommitted ? "" : classOf(state)) {
            case "40", "25", "55" ->
                new StoreFailure(
                        Failure.TRANSIENT, true, "other transactions conflicted with this one: " + e.getMessage(), e);
            case "", "08", "53", "57", "58", "60", "99", "XX" ->
                failure(Failure.UNKNOWN, e, "the reply to the commit is missing");
            default -> other(state, e);
        };
    }

    /**
     * Classifies an error of a statement that is its own transaction.
     *
     * @param isAlive whether the connection answers after the error, so that the server has rolled the statement back
     */
    static StoreFailure ofWholeTransaction(SQLException e, boolean isAlive) {
        String state = state(e);
        boolean isAnswered = isAlive && !state.isEmpty() && !state.startsWith("08") && !state.equals(AMBIGUOUS);
        return isAnswered ? inTransaction(e) : failure(Failure.UNKNOWN, e, "the reply to the change is missing");
    }

    /** Returns whether a connection can only read, so that another one may lead to a server that can write. */
    static boolean isReadOnly(Throwable failure) {
        return failure.getCause() instanceof SQLException e && state(e).equals(READ_ONLY);
    }

    /** Returns whether a pooler refused a transaction, since it shares sessions between statements. */
    static boolean isWithoutTransactions(SQLException e) {
        return state(e).equals(POOLER) && contains(e, "statement pooling");
    }

    private static boolean contains(SQLException e, String words) {
        return String.valueOf(e.getMessage()).contains(words);
    }

    private static String classOf(String state) {
        return state.length() < 2 ? "" : state.substring(0, 2);
    }

    /** Returns the SQLSTATE; if an exception has none, that of the driver's exception, which a data source may wrap. */
    static String state(SQLException e) {
        return Reasons.chain(e)
                .map(cause -> cause instanceof SQLException sql ? sql.getSQLState() : null)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
    }

    private static StoreFailure conflict(SQLException e, String words) {
        return new StoreFailure(Failure.TRANSIENT, true, words + ": " + e.getMessage(), e);
    }

    private static StoreFailure failure(Failure outcome, SQLException e, @Nullable String words) {
        return new StoreFailure(outcome, false, (words == null ? "" : words + ": ") + e.getMessage(), e);
    }
}
