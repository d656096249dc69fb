package io.counterkit.datastore.internal.client;

import com.google.appengine.api.datastore.CommittedButStillApplyingException;
import com.google.appengine.api.datastore.DatastoreFailureException;
import com.google.appengine.api.datastore.DatastoreNeedIndexException;
import com.google.appengine.api.datastore.DatastoreTimeoutException;
import com.google.apphosting.api.ApiProxy;
import java.util.ConcurrentModificationException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an error of the store means for the change that met it. */
public enum DatastoreErrors {
    /** Another writer was in the way. A commit may have been applied all the same. */
    CONTENTION,
    /** The call or its answer was lost. A commit may have been applied. */
    LOST,
    /** The store rejects the call: nothing was applied, and a retry fails too. */
    REFUSED,
    /** An error that the API does not document. A commit may have been applied. */
    UNEXPECTED;

    private static final Pattern ENDED =
            Pattern.compile("transaction.*(closed|expired|no longer|not active|not found|invalid)", Pattern.DOTALL);

    /** Classifies an error. */
    public static DatastoreErrors of(RuntimeException error) {
        if (error instanceof ConcurrentModificationException || isTransactionEnded(error)) {
            return CONTENTION;
        }
        if (error instanceof ApiProxy.RequestTooLargeException
                || error instanceof ApiProxy.ArgumentException
                || error instanceof ApiProxy.FeatureNotEnabledException) {
            return REFUSED;
        }
        if (error instanceof DatastoreTimeoutException
                || error instanceof DatastoreFailureException
                || error instanceof CommittedButStillApplyingException
                || error instanceof ApiProxy.ApiProxyException
                || isInterrupt(error)) {
            return LOST;
        }
        if (error instanceof IllegalArgumentException || error instanceof DatastoreNeedIndexException) {
            return REFUSED;
        }
        return UNEXPECTED;
    }

    public boolean isRetriable() {
        return this == CONTENTION || this == LOST;
    }

    /**
     * The store may end a transaction as soon as it meets a conflict. The next call in it then fails with an argument error
     * or a state error.
     */
    private static boolean isTransactionEnded(RuntimeException error) {
        String message = error.getMessage();
        return (error instanceof IllegalArgumentException || error instanceof IllegalStateException)
                && message != null
                && ENDED.matcher(message.toLowerCase(Locale.ROOT)).find();
    }

    /** The API wraps an interrupt in one of several exceptions, and sets the thread's flag again. */
    private static boolean isInterrupt(RuntimeException error) {
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException) {
                return true;
            }
        }
        return false;
    }
}
