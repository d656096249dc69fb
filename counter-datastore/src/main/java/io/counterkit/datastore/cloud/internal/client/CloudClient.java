package io.counterkit.datastore.cloud.internal.client;

import com.google.cloud.ServiceOptions;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreException;
import com.google.cloud.datastore.DatastoreOptions;
import com.google.cloud.datastore.Entity;
import com.google.cloud.datastore.Key;
import com.google.cloud.datastore.Query;
import com.google.cloud.datastore.QueryResults;
import com.google.cloud.datastore.StructuredQuery;
import com.google.cloud.datastore.StructuredQuery.CompositeFilter;
import com.google.cloud.datastore.StructuredQuery.Filter;
import com.google.cloud.datastore.StructuredQuery.OrderBy;
import com.google.cloud.datastore.StructuredQuery.PropertyFilter;
import com.google.cloud.datastore.Transaction;
import com.google.cloud.datastore.Value;
import com.google.cloud.http.HttpTransportOptions;
import io.counterkit.datastore.internal.store.StoreClient;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreFailure;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreQuery;
import io.counterkit.datastore.internal.store.StoreRecord;
import io.counterkit.datastore.internal.store.StoreTransaction;
import io.counterkit.spi.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls a Datastore through Google's client, over HTTP. The client's own retries are off: it would repeat a commit
 * whose answer was lost, and report the applied commit as refused.
 */
public final class CloudClient implements StoreClient {
    private static final System.Logger LOG = System.getLogger(CloudClient.class.getPackageName());
    private static final String KEY = "__key__";

    private final Datastore datastore;
    private final CloudEntities entities;

    private CloudClient(Datastore datastore, String namespace) {
        this.datastore = datastore;
        this.entities = new CloudEntities(datastore, namespace);
    }

    /**
     * Creates a client for the store of another client, with the same project, database, host and credentials.
     *
     * @throws IllegalArgumentException if the other client uses gRPC
     */
    public static CloudClient like(DatastoreOptions given, String namespace) {
        if (!(given.getTransportOptions() instanceof HttpTransportOptions transport)) {
            throw new IllegalArgumentException("the Datastore client uses gRPC, which in this version calls the live"
                    + " service even if its host is an emulator: build the client without setTransportOptions, so that it"
                    + " uses HTTP");
        }
        DatastoreOptions own = given.toBuilder()
                .setRetrySettings(ServiceOptions.getNoRetrySettings())
                .setNamespace(namespace)
                .setTransportOptions(new CallTimeouts(transport))
                .build();
        return new CloudClient(own.getService(), namespace);
    }

    @Override
    public void checkThread() {
        // Any thread can call.
    }

    @Override
    public boolean isBoundToThread() {
        return false;
    }

    @Override
    public boolean canInsert() {
        return true;
    }

    /** Makes a call. Restores the interrupt flag of the thread, which the client clears. */
    private static <T> T calling(Call call, Supplier<T> rpc) {
        boolean isInterrupted = Thread.interrupted();
        try {
            return CallTimeouts.within(call, rpc);
        } catch (DatastoreException e) {
            isInterrupted |= CloudErrors.isInterrupt(e);
            throw e;
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public StoreTransaction begin(@Nullable StoreTransaction lost, Call call) {
        return new CloudTransaction(calling(call, datastore::newTransaction));
    }

    @Override
    public Map<StoreKey, StoreEntity> get(
            @Nullable StoreTransaction transaction, Collection<StoreKey> keys, Call call) {
        Map<StoreKey, StoreEntity> found = new LinkedHashMap<>();
        if (keys.isEmpty()) {
            return found;
        }
        Key[] wanted = keys.stream().map(entities::key).toArray(Key[]::new);
        List<Entity> stored = calling(
                call,
                () -> transaction == null
                        ? datastore.fetch(wanted)
                        : CloudTransaction.of(transaction).fetch(wanted));
        for (Entity each : stored) {
            if (each != null) {
                found.put(CloudEntities.key(each.getKey()), CloudEntities.entity(each));
            }
        }
        return found;
    }

    @Override
    public List<StoreEntity> query(StoreQuery query, int limit, Call call) {
        if (query.isKeysOnly()) {
            return results(queried(Query.newKeyQueryBuilder(), query, limit), call).stream()
                    .map(CloudEntities::key)
                    .map(StoreEntity::new)
                    .toList();
        }
        return results(queried(Query.newEntityQueryBuilder(), query, limit), call).stream()
                .map(CloudEntities::entity)
                .toList();
    }

    private <T> StructuredQuery<T> queried(StructuredQuery.Builder<T> builder, StoreQuery query, int limit) {
        builder.setNamespace(entities.namespace()).setKind(query.kind()).setLimit(limit);
        if (query instanceof StoreQuery.Before before) {
            Filter end = PropertyFilter.lt(before.property(), CloudEntities.timestamp(before.moment()));
            Instant start = before.from();
            return builder.setFilter(
                            start == null
                                    ? end
                                    : CompositeFilter.and(
                                            PropertyFilter.ge(before.property(), CloudEntities.timestamp(start)), end))
                    .setOrderBy(OrderBy.asc(before.property()))
                    .build();
        }
        StoreQuery.KeyRange range = (StoreQuery.KeyRange) query;
        Key from = entities.key(range.from());
        Filter first = range.isFromIncluded() ? PropertyFilter.ge(KEY, from) : PropertyFilter.gt(KEY, from);
        return builder.setFilter(CompositeFilter.and(first, PropertyFilter.lt(KEY, entities.key(range.end()))))
                .setOrderBy(OrderBy.asc(KEY))
                .build();
    }

    @Override
    public List<StoreRecord> records(String kind, String property, @Nullable Object from, int limit, Call call) {
        StructuredQuery.Builder<Entity> builder = Query.newEntityQueryBuilder()
                .setNamespace(entities.namespace())
                .setKind(kind)
                .setOrderBy(OrderBy.asc(property))
                .setLimit(limit);
        if (from instanceof Value<?> value) {
            builder.setFilter(PropertyFilter.ge(property, value));
        }
        return results(builder.build(), call).stream()
                .map(stored -> CloudEntities.record(stored, property))
                .toList();
    }

    private <T> List<T> results(StructuredQuery<T> query, Call call) {
        return calling(call, () -> {
            List<T> found = new ArrayList<>();
            QueryResults<T> results = datastore.run(query);
            results.forEachRemaining(found::add);
            return found;
        });
    }

    /** Stages the changes, which the client sends with the commit. */
    @Override
    public void write(
            StoreTransaction transaction,
            List<StoreEntity> inserts,
            List<StoreEntity> puts,
            List<StoreKey> deletes,
            Call call) {
        Transaction open = CloudTransaction.of(transaction);
        inserts.forEach(entity -> open.add(entities.entity(entity)));
        puts.forEach(entity -> open.put(entities.entity(entity)));
        deletes.forEach(key -> open.delete(entities.key(key)));
    }

    @Override
    public void commit(StoreTransaction transaction, Call call) {
        Transaction.Response unused =
                calling(call, () -> CloudTransaction.of(transaction).commit());
    }

    /** Rolls back after a failed commit too, which frees the locks of a transaction that was not applied. */
    @Override
    public void end(StoreTransaction ended, Call call) {
        Transaction transaction = CloudTransaction.of(ended);
        if (!transaction.isActive()) {
            return;
        }
        try {
            boolean unused = calling(call, () -> {
                transaction.rollback();
                return true;
            });
        } catch (DatastoreException e) {
            LOG.log(System.Logger.Level.DEBUG, "a transaction could not be rolled back", e);
        }
    }

    @Override
    public StoreFailure failure(RuntimeException error) {
        return CloudErrors.of(error);
    }
}
