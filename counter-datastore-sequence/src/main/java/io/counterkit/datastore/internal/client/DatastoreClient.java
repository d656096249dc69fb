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
import io.counterkit.spi.Call;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The calls to the Datastore, each within the time that its caller has left. A transaction is always passed explicitly,
 * for otherwise a call joins whatever transaction the thread has open.
 */
public final class DatastoreClient {
    private static final Logger LOG = System.getLogger(DatastoreClient.class.getPackageName());

    /** Less than that the API takes for no deadline, or the store answers nothing else than that it is over. */
    private static final long LEAST_MILLIS = 12;

    /** What the API says of a store that does not tell where the results of a query end. */
    private static final String NO_END = "Batch contained no end cursor.";

    /** The most entities that one call reads; also where each is an entity group of its own. */
    public static final int MAX_READ = 1000;

    private final LongFunction<DatastoreService> services;

    private DatastoreClient(LongFunction<DatastoreService> services) {
        this.services = services;
    }

    /** Calls that take as long as {@code datastore} lets them. */
    public static DatastoreClient over(DatastoreService datastore) {
        return new DatastoreClient(millis -> datastore);
    }

    /** Calls that end before their caller's deadline. */
    public static DatastoreClient withDeadlines() {
        return new DatastoreClient(millis -> DatastoreServiceFactory.getDatastoreService(
                DatastoreServiceConfig.Builder.withImplicitTransactionManagementPolicy(
                                ImplicitTransactionManagementPolicy.NONE)
                        .maxEntityGroupsPerRpc(MAX_READ)
                        .deadline(millis / 1e3)));
    }

    private DatastoreService service(Call call) {
        return services.apply(millis(call));
    }

    /**
     * How long a call may take: between a half and three quarters of the time left, so that there is time to look what
     * became of one that is not answered. Two values from one power of two to the next, since outside App Engine the
     * API keeps for good a client, with its credentials, for each deadline that it ever met.
     */
    private static long millis(Call call) {
        long most = Math.max(LEAST_MILLIS, call.remaining().toMillis() * 3 / 4);
        long powerOfTwo = Long.highestOneBit(most);
        return most & (powerOfTwo | powerOfTwo >> 1);
    }

    /**
     * Begins a transaction across entity groups.
     *
     * @param lost one whose commit got lost, so that it may still be open and hold locks, and which the API does not let
     *     anybody roll back: the store is told that this one is tried in its stead, and may end it. The Firestore emulator
     *     does not, but only once it was idle for a minute. Null for none
     */
    Transaction begin(@Nullable Transaction lost, Call call) {
        TransactionOptions options = TransactionOptions.Builder.withXG(true);
        if (lost != null) {
            options.setPreviousTransaction(lost);
        }
        return service(call).beginTransaction(options);
    }

    /** What exists of {@code keys}, each strongly. Without a transaction not all at the same moment. */
    public Map<Key, Entity> get(@Nullable Transaction transaction, Collection<Key> keys, Call call) {
        return service(call).get(transaction, keys);
    }

    public void put(Transaction transaction, List<Entity> entities, Call call) {
        service(call).put(transaction, entities);
    }

    public void delete(@Nullable Transaction transaction, List<Key> keys, Call call) {
        service(call).delete(transaction, keys);
    }

    /** At most {@code limit} entities that a query finds; where indexes lag, as of some time ago. */
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
     * The API wants to know from the store where the results end, though nobody goes on from there, and throws if it is not
     * told; the Firestore emulator does not tell it where nothing was found. By then the API has taken in what was.
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

    /** Commits. What is committed but not applied everywhere yet is committed. */
    void commit(Transaction transaction, Call call) {
        try {
            await(transaction.commitAsync(), call);
        } catch (CommittedButStillApplyingException e) {
            LOG.log(Logger.Level.DEBUG, "committed, still applying", e);
        }
    }

    /** Ends a transaction whatever its state, so that nothing of it stays open. */
    public void end(@Nullable Transaction transaction, Call call) {
        try {
            if (transaction != null && transaction.isActive()) {
                await(transaction.rollbackAsync(), call);
            }
        } catch (RuntimeException e) {
            // Nothing was committed, and the store ends it by itself.
            LOG.log(Logger.Level.DEBUG, "a transaction could not be rolled back", e);
        }
    }

    /** The API would let these two calls take as long as its caller had left when the transaction began. */
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
