package io.counterkit.firestore.internal.client;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.firestore.FirestoreCounterBackend;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The transactions that are under way. The backend waits for their end before the application may close Google's
 * client, without which they would keep their locks. Thread-safe.
 */
final class OpenTransactions {
    /** How long to wait for rollbacks, which take one round trip. */
    private static final long ROLLBACK_SECONDS = 2;

    private static final System.Logger LOG = System.getLogger(FirestoreCounterBackend.class.getName());

    private final Set<ApiFuture<?>> open = ConcurrentHashMap.newKeySet();

    /** Adds a transaction until it ends, and returns it. */
    <T> ApiFuture<T> add(ApiFuture<T> transaction) {
        open.add(transaction);
        transaction.addListener(() -> open.remove(transaction), MoreExecutors.directExecutor());
        return transaction;
    }

    /** Waits until all transactions have ended, for two seconds at most. */
    void awaitEnd() {
        try {
            Object unused = ApiFutures.successfulAsList(open).get(ROLLBACK_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(System.Logger.Level.DEBUG, "transactions were not rolled back before close", e);
        }
    }
}
