package io.counterkit.datastore.internal.client;

import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.FetchOptions;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Query.CompositeFilterOperator;
import com.google.appengine.api.datastore.Query.Filter;
import com.google.appengine.api.datastore.Query.FilterOperator;
import com.google.appengine.api.datastore.Query.FilterPredicate;
import io.counterkit.datastore.internal.store.StoreQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.Iterator;
import java.util.List;

/** Queries of App Engine's API. */
final class EntityQueries {
    /** The API's message when a store does not report where the results of a query end. */
    private static final String NO_END = "Batch contained no end cursor.";

    private EntityQueries() {}

    static Query of(StoreQuery query, EntityMapping mapping) {
        Query all = mapping.namespace().query(query.kind());
        if (query.isKeysOnly()) {
            all.setKeysOnly();
        }
        if (query instanceof StoreQuery.Before before) {
            Filter end = new FilterPredicate(before.property(), FilterOperator.LESS_THAN, Date.from(before.moment()));
            Instant start = before.from();
            return all.setFilter(
                            start == null
                                    ? end
                                    : CompositeFilterOperator.and(
                                            new FilterPredicate(
                                                    before.property(),
                                                    FilterOperator.GREATER_THAN_OR_EQUAL,
                                                    Date.from(start)),
                                            end))
                    .addSort(before.property());
        }
        StoreQuery.KeyRange range = (StoreQuery.KeyRange) query;
        String key = Entity.KEY_RESERVED_PROPERTY;
        FilterOperator from =
                range.isFromIncluded() ? FilterOperator.GREATER_THAN_OR_EQUAL : FilterOperator.GREATER_THAN;
        return all.setFilter(CompositeFilterOperator.and(
                        new FilterPredicate(key, from, mapping.key(range.from())),
                        new FilterPredicate(key, FilterOperator.LESS_THAN, mapping.key(range.end()))))
                .addSort(key);
    }

    /** Returns up to {@code limit} results, in one call. */
    static List<Entity> run(DatastoreService service, Query query, int limit) {
        FetchOptions once = FetchOptions.Builder.withLimit(limit).chunkSize(limit);
        Iterator<Entity> results = service.prepare(null, query).asIterator(once);
        List<Entity> found = new ArrayList<>();
        while (hasNext(results)) {
            found.add(results.next());
        }
        return found;
    }

    /**
     * Returns whether there is another result. The API throws if the store does not report where the results end,
     * although this class never continues a query. The Firestore emulator does not report it for an empty result. By
     * then the API has received the results, so a second call succeeds.
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
}
