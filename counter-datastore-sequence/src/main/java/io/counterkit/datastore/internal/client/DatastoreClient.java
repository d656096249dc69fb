package io.counterkit.datastore.internal.client;

import com.google.appengine.api.datastore.CommittedButStillApplyingException;
import com.google.appengine.api.datastore.DatastoreFailureException;
import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceConfig;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.DatastoreTimeoutException;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.FetchOptions;
import com.google.appengine.api.datastore.ImplicitTransactionManagementPolicy;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Transaction;
import com.google.appengine.api.datastore.TransactionOptions;
import com.google.apphosting.api.ApiProxy;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Call;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Calls the Datastore, each time within the time that the caller has left. Passes the transaction explicitly to each
 * call, which would otherwise join any transaction that the thread has open.
 */
public final class DatastoreClient {
    private static final Logger LOG = System.getLogger(DatastoreClient.class.getPackageName());

    /** The shortest deadline. The API ignores shorter ones, or the store only answers that the deadline passed. */
    private static final long LEAST_MILLIS = 12;

    /** The API's message when a store does not report where the results of a query end. */
    private static final String NO_END = "Batch contained no end cursor.";

    /** The most entities that one call reads, each an entity group of its own. */
    public static final int MAX_READ = 1000;

    private final LongFunction<DatastoreService> services;

    private DatastoreClient(LongFunction<DatastoreService> services) {
        this.services = services;
    }

    /** Creates a client whose calls have the deadline that {@code datastore} is configured with. */
    public static DatastoreClient over(DatastoreService datastore) {
        return new DatastoreClient(millis -> datastore);
    }

    /** Creates a client whose calls end before the deadline of their caller. */
    public static DatastoreClient withDeadlines() {
        return new DatastoreClient(millis -> DatastoreServiceFactory.getDatastoreService(
                DatastoreServiceConfig.Builder.withImplicitTransactionManagementPolicy(
                                ImplicitTransactionManagementPolicy.NONE)
                        .maxEntityGroupsPerRpc(MAX_READ)
                        .deadline(millis / 1e3)));
    }

    /**
     * Checks that the calling thread can use the API.
     *
     * @throws NotAppliedException if it cannot
     */
    public void checkThread() {
        if (ApiProxy.getCurrentEnvironment() == null) {
            throw new NotAppliedException("thread '" + Thread.currentThread().getName()
                    + "' has no App Engine environment, so the Datastore cannot be called from it: use a thread of the"
                    + " request, or of ThreadManager.currentRequestThreadFactory(), or give your threads one with"
                    + " ApiProxy.setEnvironmentForCurrentThread");
        }
    }

    private DatastoreService service(Call call) {
        return services.apply(millis(call));
    }

    /**
     * Returns the deadline of one call: from a half to three quarters of the time left, so that there is time to find out
     * the outcome if it is not answered. Takes only two values between one power of two and the next, since outside App
     * Engine the API keeps a client with its credentials for each deadline it has seen.
     */
    private static long millis(Call call) {
        long most = Math.max(LEAST_MILLIS, call.remaining().toMillis() * 3 / 4);
        long powerOfTwo = Long.highestOneBit(most);
        return most & (powerOfTwo | powerOfTwo >> 1);
    }

    /**
     * Begins a transaction across entity groups.
     *
     * @param lost a transaction whose commit was not answered, which may still hold locks and which the API does not roll
     *     back; the store may end it then. The Firestore emulator does so only once it was idle for a minute
     */
    Transaction begin(@Nullable Transaction lost, Call call) {
        TransactionOptions options = TransactionOptions.Builder.withXG(true);
        if (lost != null) {
            options.setPreviousTransaction(lost);
        }
        return service(call).beginTransaction(options);
    }

    /** Reads by key, strongly; without a transaction not all at the same moment. Omits what does not exist. */
    public Map<Key, Entity> get(@Nullable Transaction transaction, Collection<Key> keys, Call call) {
        return service(call).get(transaction, keys);
    }

    /** Reads any number of keys without a transaction. */
    public Map<Key, Entity> getAll(List<Key> keys, Call call) {
        Map<Key, Entity> found = new LinkedHashMap<>();
        for (int from = 0; from < keys.size(); from += MAX_READ) {
            found.putAll(get(null, keys.subList(from, Math.min(from + MAX_READ, keys.size())), call));
        }
        return found;
    }

    /** Puts and deletes when the transaction is committed. */
    void write(Transaction transaction, List<Entity> puts, List<Key> deletes, Call call) {
        if (!puts.isEmpty()) {
            service(call).put(transaction, puts);
        }
        if (!deletes.isEmpty()) {
            service(call).delete(transaction, deletes);
        }
    }

    /** Returns up to {@code limit} entities. Where indexes lag, the results are of some time ago. */
    public List<Entity> query(Query query, int limit, Call call) {
        FetchOptions once = FetchOptions.Builder.withLimit(limit).chunkSize(limit);
        Iterator<Entity> results = service(call).prepare(null, query).asIterator(once);
        List<Entity> found = new ArrayList<>();
        while (hasNext(results)) {
            found.add(results.next());
        }
        return found;
    }

    /**
     * The API throws if the store does not report where the results end, though they are not continued here. The Firestore
     * emulator does not report it for an empty result. By then the API has taken in the results, so the second call works.
     */
    private static boolean hasNext(Iterator<Entity> results) {
        try {
            return results.hasNext();
        } catch (IllegalStateException e) {
            if (!NO_END.equals(e.getMessage())) {
                throw e;
            }
            return results.hasNext();
        }
    }

    void commit(Transaction transaction, Call call) {
        try {
            await(transaction.commitAsync(), call);
        } catch (CommittedButStillApplyingException e) {
            LOG.log(Logger.Level.DEBUG, "committed, still applying", e);
        }
    }

    /** Rolls a transaction back if it is still active. */
    void end(Transaction transaction, Call call) {
        try {
            if (transaction.isActive()) {
                await(transaction.rollbackAsync(), call);
            }
        } catch (RuntimeException e) {
            // Nothing was committed, and the store ends the transaction by itself.
            LOG.log(Logger.Level.DEBUG, "a transaction could not be rolled back", e);
        }
    }

    /** Waits with the time left now: the API's own deadline for these two calls dates from the begin. */
    private static void await(Future<Void> sent, Call call) {
        try {
            sent.get(millis(call), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException error
                    ? error
                    : new DatastoreFailureException("the end of a transaction failed", e.getCause());
        } catch (TimeoutException e) {
            throw new DatastoreTimeoutException("the end of a transaction was not answered in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DatastoreFailureException("interrupted", e);
        }
    }
}
