package io.counterkit.benchmarks.datastore;

import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.KeyFactory;
import com.google.appengine.api.datastore.Transaction;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** The usual algorithm: changes a counter entity and its records in one entity group in one transaction. */
record CounterEntityAppender(String kind, LongAdder retries) implements Appender {
    private static final DatastoreService DATASTORE = DatastoreServiceFactory.getDatastoreService();

    @Override
    public long append(Map<String, ?> fields, BooleanSupplier isOver) {
        while (!isOver.getAsBoolean()) {
            Transaction transaction = DATASTORE.beginTransaction();
            try {
                return append(transaction, fields);
            } catch (ConcurrentModificationException | IllegalArgumentException e) {
                retries.increment();
            } finally {
                if (transaction.isActive()) {
                    transaction.rollback();
                }
            }
        }
        return 0;
    }

    private long append(Transaction transaction, Map<String, ?> fields) {
        Key key = KeyFactory.createKey(kind + "Counter", "one");
        Entity counter = DATASTORE.get(transaction, List.of(key)).get(key);
        long number = counter == null ? 1 : (Long) counter.getProperty("last") + 1;
        Entity next = new Entity(key);
        next.setUnindexedProperty("last", number);
        Entity record = new Entity(kind, "n" + number, key);
        record.setProperty("id", number);
        fields.forEach(record::setUnindexedProperty);
        DATASTORE.put(transaction, List.of(next, record));
        transaction.commit();
        return number;
    }
}
