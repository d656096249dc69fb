package io.counterkit.datastore.cloud.internal.client;

import com.google.cloud.datastore.DatastoreException;
import com.google.rpc.Code;
import io.counterkit.datastore.internal.store.StoreFailure;
import io.counterkit.spi.Reasons;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.ConcurrentModificationException;

/**
 * Classifies the exceptions of Google's client, whose own retries are off. Each has a code of the protocol; a lost
 * connection, a refused one and a lost answer have the same code.
 */
final class CloudErrors {
    private CloudErrors() {}

    /** Classifies an error. */
    static StoreFailure of(RuntimeException error) {
        if (error instanceof ConcurrentModificationException) {
            return StoreFailure.CONTENTION;
        }
        if (!(error instanceof DatastoreException ofClient)) {
            return StoreFailure.UNEXPECTED;
        }
        Code code = Code.forNumber(ofClient.getCode());
        return code == null ? StoreFailure.UNEXPECTED : of(code, error);
    }

    private static StoreFailure of(Code code, RuntimeException error) {
        return switch (code) {
            case ABORTED -> StoreFailure.CONTENTION;
            case ALREADY_EXISTS -> StoreFailure.EXISTS;
            case UNAVAILABLE -> wasNotSent(error) ? StoreFailure.NOT_SENT : StoreFailure.LOST;
            // An internal error may be the page of a proxy. An exhausted quota may concern only the answer.
            case DEADLINE_EXCEEDED, INTERNAL, UNKNOWN, CANCELLED, DATA_LOSS, RESOURCE_EXHAUSTED -> StoreFailure.LOST;
            // The store may end a transaction at a conflict.
            case INVALID_ARGUMENT, FAILED_PRECONDITION, NOT_FOUND ->
                StoreFailure.isTransactionEnded(error) ? StoreFailure.CONTENTION : StoreFailure.REFUSED;
            case PERMISSION_DENIED, UNAUTHENTICATED, OUT_OF_RANGE, UNIMPLEMENTED -> StoreFailure.REFUSED;
            // The client's own errors, and an interrupt, have no code.
            case OK -> StoreFailure.isTransactionEnded(error) ? StoreFailure.CONTENTION : ofNoCode(error);
            case UNRECOGNIZED -> StoreFailure.UNEXPECTED;
        };
    }

    private static StoreFailure ofNoCode(RuntimeException error) {
        return isInterrupt(error) ? StoreFailure.LOST : StoreFailure.UNEXPECTED;
    }

    /** Returns whether no connection was made, so that the store cannot have received the call. */
    private static boolean wasNotSent(RuntimeException error) {
        return hasCause(error, ConnectException.class) || hasCause(error, UnknownHostException.class);
    }

    /** Returns whether the thread was interrupted. The client then clears the flag of the thread. */
    static boolean isInterrupt(RuntimeException error) {
        return hasCause(error, InterruptedException.class);
    }

    private static boolean hasCause(Throwable error, Class<? extends Throwable> type) {
        return Reasons.chain(error).anyMatch(type::isInstance);
    }
}
