package io.counterkit.datastore.internal.client;

import com.google.appengine.api.datastore.CommittedButStillApplyingException;
import com.google.appengine.api.datastore.DatastoreFailureException;
import com.google.appengine.api.datastore.DatastoreNeedIndexException;
import com.google.appengine.api.datastore.DatastoreTimeoutException;
import com.google.apphosting.api.ApiProxy;
import io.counterkit.datastore.internal.store.StoreFailure;
import io.counterkit.spi.Reasons;
import java.util.ConcurrentModificationException;

/** Classifies the exceptions of App Engine's API. */
final class AppEngineErrors {
    private AppEngineErrors() {}

    /** Classifies an error. */
    static StoreFailure of(RuntimeException error) {
        if (error instanceof ConcurrentModificationException || isTransactionEnded(error)) {
            return StoreFailure.CONTENTION;
        }
        if (error instanceof ApiProxy.RequestTooLargeException
                || error instanceof ApiProxy.ArgumentException
                || error instanceof ApiProxy.FeatureNotEnabledException) {
            return StoreFailure.REFUSED;
        }
        if (error instanceof DatastoreTimeoutException
                || error instanceof DatastoreFailureException
                || error instanceof CommittedButStillApplyingException
                || error instanceof ApiProxy.ApiProxyException
                || isInterrupt(error)) {
            return StoreFailure.LOST;
        }
        if (error instanceof IllegalArgumentException || error instanceof DatastoreNeedIndexException) {
            return StoreFailure.REFUSED;
        }
        return StoreFailure.UNEXPECTED;
    }

    /**
     * Returns whether the store has ended the transaction, as it may at a conflict. The next call in it then fails with
     * an argument error or a state error.
     */
    private static boolean isTransactionEnded(RuntimeException error) {
        return (error instanceof IllegalArgumentException || error instanceof IllegalStateException)
                && StoreFailure.isTransactionEnded(error);
    }

    /**
     * Returns whether the thread was interrupted. The API wraps an interrupt in one of several exceptions, and restores
     * the flag.
     */
    private static boolean isInterrupt(RuntimeException error) {
        return Reasons.chain(error).anyMatch(InterruptedException.class::isInstance);
    }
}
