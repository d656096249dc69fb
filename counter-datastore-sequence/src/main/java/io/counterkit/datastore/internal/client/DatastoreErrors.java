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

/** What the store's errors mean for a change that was on its way. */
public enum DatastoreErrors {
    /** Somebody else was in the way; told at a commit, it may have been applied all the same. */
    CONTENTION,
    /** The call got lost on the way there or back; at a commit, it may have been applied. */
    LOST,
    /** The store understood and will not do it: nothing was applied, and trying again does not help. */
    REFUSED,
    /** Nobody knows: nothing was applied unless it was the commit. */
    UNEXPECTED;

    private static final Pattern ENDED =
            Pattern.compile("transaction.*(closed|expired|no longer|not active|not found|invalid)", Pattern.DOTALL);

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
     * A transaction that met a conflict may be ended by the store on the spot; the next call in it is then told so as an
     * argument error or a state error.
     */
    private static boolean isTransactionEnded(RuntimeException error) {
        String message = error.getMessage();
        return (error instanceof IllegalArgumentException || error instanceof IllegalStateException)
                && message != null
                && ENDED.matcher(message.toLowerCase(Locale.ROOT)).find();
    }

    /** The API wraps an interrupt in one of several exceptions, once it has set the flag again. */
    private static boolean isInterrupt(RuntimeException error) {
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException) {
                return true;
            }
        }
        return false;
    }
}
