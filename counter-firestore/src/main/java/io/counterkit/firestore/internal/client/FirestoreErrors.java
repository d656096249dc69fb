package io.counterkit.firestore.internal.client;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.firestore.FirestoreException;
import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.grpc.Status;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The errors of Firestore's client as outcomes, in one place.
 *
 * <p>The client retries a commit by itself, so no code proves that nothing was applied: behind the last attempt's error
 * an earlier attempt may hide whose reply was lost. That is why only the marker of a commit decides, and why every
 * error but {@link StoreError#EXISTS} and {@link StoreError#MISSING} leaves its outcome open. An error that leaves it open
 * is passed on as it is: the API layer makes an outcome-unknown exception of it, with the token that the caller needs.
 */
public final class FirestoreErrors {
    private FirestoreErrors() {}

    /** What {@code failure} says about a change. */
    public static StoreError of(Throwable failure) {
        Throwable cause = unwrapped(failure);
        if (cause instanceof ApiException e) {
            return of(e.getStatusCode().getCode());
        }
        if (cause instanceof FirestoreException e) {
            // A transaction wraps the error of its last call; its own text is of no account.
            return e.getCause() instanceof ApiException inner
                    ? ofTransaction(inner.getStatusCode().getCode())
                    : ofTransaction(codeOf(e.getStatus()));
        }
        return cause instanceof TimeoutException ? StoreError.LOST : StoreError.REFUSED;
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

    /** Whether a document was not any more as it had been read, so that nothing was applied by this attempt. */
    public static boolean isOvertaken(Throwable failure) {
        return unwrapped(failure) instanceof ApiException e
                && e.getStatusCode().getCode() == StatusCode.Code.FAILED_PRECONDITION;
    }

    /** Whether it may be that of a commit which the client has repeated, or that of a request which is none. */
    public static boolean isClosedTransaction(Throwable cause) {
        return cause instanceof FirestoreException e
                && (e.getCause() instanceof ApiException inner
                                ? inner.getStatusCode().getCode()
                                : codeOf(e.getStatus()))
                        == StatusCode.Code.INVALID_ARGUMENT;
    }

    /** Whether a document was not written because it is no longer the one that was read. */
    public static boolean isOutrun(Throwable failure) {
        return unwrapped(failure) instanceof ApiException e
                && e.getStatusCode().getCode() == StatusCode.Code.FAILED_PRECONDITION;
    }

    /** A commit that the client has repeated after a lost reply finds its transaction closed: an invalid argument. */
    private static StoreError ofTransaction(StatusCode.Code code) {
        return code == StatusCode.Code.INVALID_ARGUMENT ? StoreError.LOST : of(code);
    }

    private static StatusCode.Code codeOf(@Nullable Status status) {
        return status == null
                ? StatusCode.Code.UNKNOWN
                : StatusCode.Code.valueOf(status.getCode().name());
    }

    /** The failure of a change that was never sent. */
    public static CounterException notApplied(String what, Throwable failure) {
        Throwable cause = unwrapped(failure);
        return cause instanceof CounterException e
                ? e
                : new NotAppliedException(what + ": " + reason(cause) + "; nothing was applied", cause);
    }

    /** Whether it comes from the store or its client, and not from the application. */
    public static boolean isOfStore(Throwable cause) {
        return cause instanceof ApiException
                || cause instanceof FirestoreException
                || cause instanceof TimeoutException;
    }

    /** The failure of a read. */
    public static CounterException notRead(String what, Throwable failure) {
        Throwable cause = unwrapped(failure);
        return cause instanceof CounterException e ? e : new NotAppliedException(what + ": " + reason(cause), cause);
    }

    /** The failure itself, without what futures wrap around it. */
    public static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String reason(Throwable cause) {
        if (cause instanceof TimeoutException) {
            return cause.getMessage() == null ? "Firestore did not answer in time" : cause.getMessage();
        }
        if (!isOfStore(cause)) {
            return String.valueOf(cause.getMessage());
        }
        String code = cause instanceof ApiException e ? e.getStatusCode().getCode() + " " : "";
        return "Firestore answered " + code + "(" + cause.getMessage() + ")";
    }
}
