package io.counterkit.datastore;

import com.google.appengine.api.datastore.CommittedButStillApplyingException;
import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceConfig;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.FetchOptions;
import com.google.appengine.api.datastore.ImplicitTransactionManagementPolicy;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Transaction;
import com.google.appengine.api.datastore.TransactionOptions;
import io.counterkit.spi.Call;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The calls to the Datastore, each within the time that its caller has left. A transaction is always passed explicitly,
 * for otherwise a call joins whatever transaction the thread has open.
 */
final class Store {
    private static final Logger LOG = System.getLogger(Store.class.getPackageName());

    /** Less than that the API takes for no deadline, or the store answers nothing else than that it is over. */
    private static final Duration LEAST = Duration.ofMillis(10);

    /** The most entities that one call reads; also where each is an entity group of its own. */
    static final int MAX_READ = 1000;

    private final Function<Duration, DatastoreService> services;

    private Store(Function<Duration, DatastoreService> services) {
        this.services = services;
    }

    /** Calls that take as long as {@code datastore} lets them. */
    static Store over(DatastoreService datastore) {
        return new Store(left -> datastore);
    }

    /** Calls that end at their caller's deadline. */
    static Store withDeadlines() {
        return new Store(left -> DatastoreServiceFactory.getDatastoreService(
                DatastoreServiceConfig.Builder.withImplicitTransactionManagementPolicy(
                                ImplicitTransactionManagementPolicy.NONE)
                        .maxEntityGroupsPerRpc(MAX_READ)
                        .deadline(left.toNanos() / 1e9)));
    }

    private DatastoreService service(Call call) {
        Duration left = call.remaining();
        return services.apply(left.compareTo(LEAST) < 0 ? LEAST : left);
    }

    /**
     * Begins a transaction across entity groups.
     *
     * @param lost one whose commit got lost, so that it may still be open and hold locks: it is ended in favour of this
     *     one where the store locks. Null for none
     */
    Transaction begin(@Nullable Transaction lost, Call call) {
        TransactionOptions options = TransactionOptions.Builder.withXG(true);
        if (lost != null) {
            options.setPreviousTransaction(lost);
        }
        return service(call).beginTransaction(options);
    }

    /** What exists of {@code keys}, each strongly. Without a transaction not all at the same moment. */
    Map<Key, Entity> get(@Nullable Transaction transaction, Collection<Key> keys, Call call) {
        return service(call).get(transaction, keys);
    }

    void put(Transaction transaction, List<Entity> entities, Call call) {
        service(call).put(transaction, entities);
    }

    void delete(@Nullable Transaction transaction, List<Key> keys, Call call) {
        service(call).delete(transaction, keys);
    }

    /** At most {@code limit} entities that a query finds; where indexes lag, as of some time ago. */
    List<Entity> query(Query query, int limit, Call call) {
        FetchOptions once = FetchOptions.Builder.withLimit(limit).chunkSize(limit);
        return List.copyOf(service(call).prepare(null, query).asList(once));
    }

    /** Commits. What is committed but not applied everywhere yet is committed. */
    static void commit(Transaction transaction) {
        try {
            transaction.commit();
        } catch (CommittedButStillApplyingException e) {
            LOG.log(Logger.Level.DEBUG, "committed, still applying", e);
        }
    }

    /** Ends a transaction whatever its state, so that nothing of it stays open. */
    static void end(@Nullable Transaction transaction) {
        try {
            if (transaction != null && transaction.isActive()) {
                transaction.rollback();
            }
        } catch (RuntimeException e) {
            // Nothing was committed, and the store ends it by itself.
            LOG.log(Logger.Level.DEBUG, "a transaction could not be rolled back", e);
        }
    }
}
