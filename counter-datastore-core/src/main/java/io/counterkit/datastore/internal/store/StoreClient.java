package io.counterkit.datastore.internal.store;

import io.counterkit.spi.Call;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client of a Datastore, in one namespace. Each call blocks, is not retried, and ends before the deadline of its
 * caller. Throws the client's own exceptions, which {@link #failure} classifies. Thread-safe.
 */
public interface StoreClient {
    /** The most entities that one call reads. */
    int MAX_READ = 1000;

    /**
     * Checks that the calling thread can use the client.
     *
     * @throws io.counterkit.NotAppliedException if it cannot
     */
    void checkThread();

    /** Returns whether operations have to run on the threads of their callers. */
    boolean isBoundToThread();

    /** Returns whether this client can insert, which fails if the entity exists; otherwise an insert is a put. */
    boolean canInsert();

    /**
     * Begins a transaction.
     *
     * @param lost a transaction whose commit was not answered and which may still hold locks; the store may then end it
     */
    StoreTransaction begin(@Nullable StoreTransaction lost, Call call);

    /**
     * Reads by key, strongly; without a transaction, not at one moment. Omits missing entities.
     *
     * @param keys at most {@link #MAX_READ}
     */
    Map<StoreKey, StoreEntity> get(@Nullable StoreTransaction transaction, Collection<StoreKey> keys, Call call);

    /** Reads one key as {@link #get} does; returns null for a missing entity. */
    default @Nullable StoreEntity find(@Nullable StoreTransaction transaction, StoreKey key, Call call) {
        return get(transaction, List.of(key), call).get(key);
    }

    /** Reads any number of keys without a transaction. */
    default Map<StoreKey, StoreEntity> getAll(List<StoreKey> keys, Call call) {
        Map<StoreKey, StoreEntity> found = new LinkedHashMap<>();
        for (int from = 0; from < keys.size(); from += MAX_READ) {
            found.putAll(get(null, keys.subList(from, Math.min(from + MAX_READ, keys.size())), call));
        }
        return found;
    }

    /** Returns up to {@code limit} entities. The results may be outdated if indexes lag. */
    List<StoreEntity> query(StoreQuery query, int limit, Call call);

    /**
     * Returns up to {@code limit} entities of the application, in the order of an indexed property.
     *
     * @param from the position of the first one, or null
     */
    List<StoreRecord> records(String kind, String property, @Nullable Object from, int limit, Call call);

    /** Inserts, puts and deletes when the transaction is committed. */
    void write(
            StoreTransaction transaction,
            List<StoreEntity> inserts,
            List<StoreEntity> puts,
            List<StoreKey> deletes,
            Call call);

    void commit(StoreTransaction transaction, Call call);

    /** Rolls a transaction back if that can release locks. Does not throw, since the answer proves nothing. */
    void end(StoreTransaction transaction, Call call);

    /** Classifies an error of this client. */
    StoreFailure failure(RuntimeException error);
}
