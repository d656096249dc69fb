package io.counterkit.benchmarks.datastore;

import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.FetchOptions;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.KeyFactory;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Transaction;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * The algorithm of the article of 2009: queries the newest number each time, then puts the next one if it is absent.
 * The article treats a conflict as "exists", which leaves a gap; this class retries the same number.
 */
record ArticleAppender(String kind, LongAdder retries) implements Appender {
    private static final DatastoreService DATASTORE = DatastoreServiceFactory.getDatastoreService();

    @Override
    public long append(Map<String, ?> fields, BooleanSupplier isOver) {
        long number = newest() + 1;
        while (!isOver.getAsBoolean()) {
            try {
                if (tryCreate(number, fields)) {
                    return number;
                }
                number++;
            } catch (ConcurrentModificationException | IllegalArgumentException e) {
                // the local Datastore reports a conflict in both ways
            }
            retries.increment();
        }
        return 0;
    }

    private long newest() {
        Query query = new Query(kind).addSort("id", Query.SortDirection.DESCENDING);
        List<Entity> newest = DATASTORE
                .prepare(null, query)
                .asList(FetchOptions.Builder.withLimit(1).chunkSize(1));
        try {
            return newest.isEmpty() ? 0 : (Long) newest.get(0).getProperty("id");
        } catch (IllegalStateException e) {
            return 0; // an empty reply of the Firestore emulator
        }
    }

    private boolean tryCreate(long number, Map<String, ?> fields) {
        Key key = KeyFactory.createKey(kind, "n" + number);
        Transaction transaction = DATASTORE.beginTransaction();
        try {
            if (!DATASTORE.get(transaction, List.of(key)).isEmpty()) {
                return false;
            }
            Entity record = new Entity(key);
            record.setProperty("id", number);
            fields.forEach(record::setUnindexedProperty);
            DATASTORE.put(transaction, record);
            transaction.commit();
            return true;
        } finally {
            if (transaction.isActive()) {
                transaction.rollback();
            }
        }
    }
}
