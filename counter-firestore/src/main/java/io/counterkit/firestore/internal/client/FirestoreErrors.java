package io.counterkit.firestore.internal.client;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.firestore.FirestoreException;
import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Maps the errors of Firestore's client to outcomes.
 *
 * <p>The client automatically retries a commit, so no code proves that nothing was applied: the reply to an earlier
 * attempt may have been lost. Only the token document of a commit shows its outcome. After every error except {@link
 * StoreError#EXISTS} and {@link StoreError#MISSING} the outcome is unknown. Such an error is rethrown unchanged; the
 * API layer wraps it in an outcome-unknown exception with the caller's token.
 */
public final class FirestoreErrors {
    private FirestoreErrors() {}

    /** Returns the meaning of {@code failure} for a change. */
    public static StoreError of(Throwable failure) {
        Throwable cause = Futures.unwrap(failure);
        StatusCode.Code code = codeOf(cause);
        if (code == null) {
            return isGivenUp(cause) && !isUnsent(cause) ? StoreError.LOST : StoreError.REFUSED;
        }
        return isClosedTransaction(cause) ? StoreError.LOST : of(code);
    }

    private static StoreError of(StatusCode.Code code) {
        return switch (code) {
            case ALREADY_EXISTS -> StoreError.EXISTS;
            case NOT_FOUND -> StoreError.MISSING;
            case ABORTED -> StoreError.CONTENTION;
            case UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL, UNKNOWN, CANCELLED, RESOURCE_EXHAUSTED, DATA_LOSS ->
                StoreError.LOST;
            case OK,
                    INVALID_ARGUMENT,
                    PERMISSION_DENIED,
                    UNAUTHENTICATED,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    UNIMPLEMENTED -> StoreError.REFUSED;
        };
    }

    /**
     * Returns the store's code; null if the store did not cause the failure. A transaction wraps the error of its last
     * call.
     */
    private static StatusCode.@Nullable Code codeOf(Throwable cause) {
        if (cause instanceof FirestoreException e && !(e.getCause() instanceof ApiException)) {
            return e.getStatus() == null
                    ? StatusCode.Code.UNKNOWN
                    : StatusCode.Code.valueOf(e.getStatus().getCode().name());
        }
        Throwable last = cause instanceof FirestoreException ? cause.getCause() : cause;
        return last instanceof ApiException e ? e.getStatusCode().getCode() : null;
    }

    /** Returns whether a document was changed since it was read, so that this attempt was not applied. */
    public static boolean isStale(Throwable failure) {
        return codeOf(Futures.unwrap(failure)) == StatusCode.Code.FAILED_PRECONDITION;
    }

    /**
     * Returns whether a query was refused because an index is missing. A database that refuses every call has the same
     * code, so the caller reads a document first.
     */
    public static boolean lacksIndex(Throwable failure) {
        return codeOf(Futures.unwrap(failure)) == StatusCode.Code.FAILED_PRECONDITION;
    }

    /**
     * Returns whether a transaction failed with an invalid argument. Either the client repeated a commit whose reply
     * was lost and the transaction was closed, or the request is invalid.
     */
    public static boolean isClosedTransaction(Throwable cause) {
        return cause instanceof FirestoreException && codeOf(cause) == StatusCode.Code.INVALID_ARGUMENT;
    }

    /**
     * Returns whether a request was given up; it may have been sent. Besides timeouts, these are the failures of
     * Google's client if its thread was interrupted when the reply had arrived, or if the executor of its retries has
     * ended.
     */
    public static boolean isGivenUp(Throwable cause) {
        return cause instanceof TimeoutException
                || cause instanceof InterruptedException
                || cause instanceof RejectedExecutionException;
    }

    /** Returns whether a request was given up before it was sent. */
    static boolean isUnsent(Throwable cause) {
        return cause instanceof GivenUpException givenUp && !givenUp.isSent();
    }

    /** Returns whether a failure comes from the store or its client, and not from the application. */
    public static boolean isOfStore(Throwable cause) {
        return cause instanceof ApiException
                || cause instanceof FirestoreException
                || cause instanceof TimeoutException;
    }

    /** Returns the failure of a change that was never sent. */
    public static CounterException notApplied(String what, Throwable failure) {
        return failed(what, failure, "; nothing was applied");
    }

    /** Returns the failure of a read. */
    public static CounterException notRead(String what, Throwable failure) {
        return failed(what, failure, "");
    }

    /** Returns a future that fails with {@link #notApplied} if {@code future} fails. */
    public static <T> CompletableFuture<T> orNotApplied(String what, CompletableFuture<T> future) {
        return future.exceptionallyCompose(failure -> CompletableFuture.failedFuture(notApplied(what, failure)));
    }

    /** Returns a future that fails with {@link #notRead} if {@code future} fails. */
    public static <T> CompletableFuture<T> orNotRead(String what, CompletableFuture<T> future) {
        return future.exceptionallyCompose(failure -> CompletableFuture.failedFuture(notRead(what, failure)));
    }

    private static CounterException failed(String what, Throwable failure, String outcome) {
        Throwable cause = Futures.unwrap(failure);
        return cause instanceof CounterException e
                ? e
                : new NotAppliedException(what + ": " + reason(cause) + outcome, cause);
    }

    private static String reason(Throwable cause) {
        if (!isOfStore(cause) || cause instanceof TimeoutException) {
            return Reasons.of(cause);
        }
        String code = cause instanceof ApiException e ? e.getStatusCode().getCode() + " " : "";
        return "Firestore answered " + code + "(" + cause.getMessage() + ")";
    }
}
