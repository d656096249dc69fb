package io.counterkit.datastore.internal.client;

import com.google.appengine.api.datastore.CommittedButStillApplyingException;
import com.google.appengine.api.datastore.DatastoreFailureException;
import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceConfig;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.DatastoreTimeoutException;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.ImplicitTransactionManagementPolicy;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Query.FilterOperator;
import com.google.appengine.api.datastore.Query.FilterPredicate;
import com.google.appengine.api.datastore.Transaction;
import com.google.appengine.api.datastore.TransactionOptions;
import com.google.apphosting.api.ApiProxy;
import io.counterkit.NotAppliedException;
import io.counterkit.datastore.internal.store.StoreClient;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreFailure;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreQuery;
import io.counterkit.datastore.internal.store.StoreRecord;
import io.counterkit.datastore.internal.store.StoreTransaction;
import io.counterkit.spi.Call;
import java.lang.System.Logger;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls the Datastore through App Engine's API, each time within the caller's remaining time. Passes the transaction
 * explicitly to each call, which would otherwise join any transaction that the thread has open.
 */
public final class DatastoreClient implements StoreClient {
    private static final Logger LOG = System.getLogger(DatastoreClient.class.getPackageName());

    /** The shortest deadline. The API ignores shorter ones, or the store only answers that the deadline passed. */
    private static final long LEAST_MILLIS = 12;

    private final LongFunction<DatastoreService> services;
    private final EntityMapping mapping;

    private DatastoreClient(LongFunction<DatastoreService> services, Namespace namespace) {
        this.services = services;
        this.mapping = new EntityMapping(namespace);
    }

    /** Creates a client whose calls have the deadline that {@code datastore} is configured with. */
    public static DatastoreClient over(DatastoreService datastore, Namespace namespace) {
        return new DatastoreClient(millis -> datastore, namespace);
    }

    /** Creates a client whose calls end before the deadline of their caller. */
    public static DatastoreClient withDeadlines(Namespace namespace) {
        return new DatastoreClient(
                millis -> DatastoreServiceFactory.getDatastoreService(
                        DatastoreServiceConfig.Builder.withImplicitTransactionManagementPolicy(
                                        ImplicitTransactionManagementPolicy.NONE)
                                .maxEntityGroupsPerRpc(MAX_READ)
                                .deadline(millis / 1e3)),
                namespace);
    }

    @Override
    public void checkThread() {
        if (ApiProxy.getCurrentEnvironment() == null) {
            throw new NotAppliedException("thread '" + Thread.currentThread().getName()
                    + "' has no App Engine environment, so the Datastore cannot be called from it: use a thread of the"
                    + " request, or of ThreadManager.currentRequestThreadFactory(), or give your threads one with"
                    + " ApiProxy.setEnvironmentForCurrentThread");
        }
    }

    /** The API keeps its environment and its transactions with the thread. */
    @Override
    public boolean isBoundToThread() {
        return true;
    }

    @Override
    public boolean canInsert() {
        return false;
    }

    private DatastoreService service(Call call) {
        return services.apply(millis(call));
    }

    /**
     * Returns the deadline of one call: from a half to three quarters of the time left, which leaves time to resolve
     * the outcome if the call is not answered. Uses only two values between one power of two and the next, since
     * outside App Engine the API keeps a client with its credentials for each distinct deadline.
     */
    private static long millis(Call call) {
        long most = Math.max(LEAST_MILLIS, call.remaining().toMillis() * 3 / 4);
        long powerOfTwo = Long.highestOneBit(most);
        return most & (powerOfTwo | powerOfTwo >> 1);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The API does not roll a transaction back after its commit failed. The Firestore emulator ends it only after it
     * has been idle for a minute.
     */
    @Override
    public StoreTransaction begin(@Nullable StoreTransaction lost, Call call) {
        TransactionOptions options = TransactionOptions.Builder.withXG(true);
        if (lost != null) {
            options.setPreviousTransaction(AppEngineTransaction.of(lost));
        }
        return new AppEngineTransaction(service(call).beginTransaction(options));
    }

    @Override
    public Map<StoreKey, StoreEntity> get(
            @Nullable StoreTransaction transaction, Collection<StoreKey> keys, Call call) {
        List<Key> wanted = keys.stream().map(mapping::key).toList();
        Map<StoreKey, StoreEntity> found = new LinkedHashMap<>();
        service(call)
                .get(transaction == null ? null : AppEngineTransaction.of(transaction), wanted)
                .values()
                .forEach(stored -> found.put(mapping.key(stored.getKey()), mapping.entity(stored)));
        return found;
    }

    @Override
    public void write(
            StoreTransaction transaction,
            List<StoreEntity> inserts,
            List<StoreEntity> puts,
            List<StoreKey> deletes,
            Call call) {
        List<Entity> all = Stream.concat(inserts.stream(), puts.stream())
                .map(mapping::entity)
                .toList();
        if (!all.isEmpty()) {
            service(call).put(AppEngineTransaction.of(transaction), all);
        }
        if (!deletes.isEmpty()) {
            service(call)
                    .delete(
                            AppEngineTransaction.of(transaction),
                            deletes.stream().map(mapping::key).toList());
        }
    }

    @Override
    public List<StoreEntity> query(StoreQuery query, int limit, Call call) {
        return EntityQueries.run(service(call), EntityQueries.of(query, mapping), limit).stream()
                .map(mapping::entity)
                .toList();
    }

    @Override
    public List<StoreRecord> records(String kind, String property, @Nullable Object from, int limit, Call call) {
        Query query = mapping.namespace().query(kind).addSort(property);
        if (from != null) {
            query.setFilter(new FilterPredicate(property, FilterOperator.GREATER_THAN_OR_EQUAL, from));
        }
        return EntityQueries.run(service(call), query, limit).stream()
                .map(stored -> EntityMapping.record(stored, property))
                .toList();
    }

    @Override
    public void commit(StoreTransaction transaction, Call call) {
        try {
            await(AppEngineTransaction.of(transaction).commitAsync(), call);
        } catch (CommittedButStillApplyingException e) {
            LOG.log(Logger.Level.DEBUG, "committed, still applying", e);
        }
    }

    @Override
    public void end(StoreTransaction ended, Call call) {
        Transaction transaction = AppEngineTransaction.of(ended);
        try {
            if (transaction.isActive()) {
                await(transaction.rollbackAsync(), call);
            }
        } catch (RuntimeException e) {
            // Nothing was committed, and the store ends the transaction later.
            LOG.log(Logger.Level.DEBUG, "a transaction could not be rolled back", e);
        }
    }

    /**
     * Waits for as long as the time left allows: the API set its own deadline for these two calls when the transaction
     * began.
     */
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

    @Override
    public StoreFailure failure(RuntimeException error) {
        return AppEngineErrors.of(error);
    }
}
