package io.counterkit.benchmarks.datastore;

import com.google.cloud.NoCredentials;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreException;
import com.google.cloud.datastore.DatastoreOptions;
import com.google.cloud.datastore.Entity;
import com.google.cloud.datastore.Key;
import com.google.cloud.datastore.LongValue;
import com.google.cloud.datastore.Query;
import com.google.cloud.datastore.QueryResults;
import com.google.cloud.datastore.StructuredQuery.OrderBy;
import com.google.cloud.datastore.Transaction;
import com.google.rpc.Code;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.spi.CounterBackend;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** The same algorithms through Google's client {@code google-cloud-datastore}, on an emulator. */
record GoogleClient(Datastore datastore) {
    static GoogleClient connect(String hostAndPort) {
        return new GoogleClient(DatastoreOptions.newBuilder()
                .setProjectId("demo-counterkit")
                .setNamespace("")
                .setHost("http://" + hostAndPort)
                .setCredentials(NoCredentials.getInstance())
                .build()
                .getService());
    }

    CounterBackend backend() {
        return DatastoreCounterBackend.create(datastore);
    }

    /** Returns whether a transaction failed because of another one. The store may then have ended it. */
    private static boolean isConflict(DatastoreException e) {
        return e.getCode() == Code.ABORTED_VALUE || e.getCode() == Code.INVALID_ARGUMENT_VALUE;
    }

    private static LongValue unindexed(long value) {
        return LongValue.newBuilder(value).setExcludeFromIndexes(true).build();
    }

    private static Entity.Builder record(Key key, long number, Map<String, ?> fields) {
        Entity.Builder record = Entity.newBuilder(key).set("id", number);
        fields.forEach((name, value) -> record.set(name, unindexed((Long) value)));
        return record;
    }

    private static void end(Transaction transaction) {
        if (transaction.isActive()) {
            try {
                transaction.rollback();
            } catch (DatastoreException e) {
                if (!isConflict(e)) {
                    throw e;
                }
            }
        }
    }

    /** See {@link ArticleAppender}. */
    record Article(Datastore datastore, String kind, LongAdder retries) implements Appender {
        @Override
        public long append(Map<String, ?> fields, BooleanSupplier isOver) {
            long number = newest() + 1;
            while (!isOver.getAsBoolean()) {
                try {
                    if (tryCreate(number, fields)) {
                        return number;
                    }
                    number++;
                } catch (DatastoreException e) {
                    if (!isConflict(e)) {
                        throw e;
                    }
                }
                retries.increment();
            }
            return 0;
        }

        private long newest() {
            QueryResults<Entity> newest = datastore.run(Query.newEntityQueryBuilder()
                    .setKind(kind)
                    .setOrderBy(OrderBy.desc("id"))
                    .setLimit(1)
                    .build());
            return newest.hasNext() ? newest.next().getLong("id") : 0;
        }

        private boolean tryCreate(long number, Map<String, ?> fields) {
            Key key = datastore.newKeyFactory().setKind(kind).newKey("n" + number);
            Transaction transaction = datastore.newTransaction();
            try {
                if (transaction.get(key) != null) {
                    return false;
                }
                transaction.put(record(key, number, fields).build());
                Transaction.Response unused = transaction.commit();
                return true;
            } finally {
                end(transaction);
            }
        }
    }

    /** See {@link CounterEntityAppender}. */
    record CounterEntity(Datastore datastore, String kind, LongAdder retries) implements Appender {
        @Override
        public long append(Map<String, ?> fields, BooleanSupplier isOver) {
            while (!isOver.getAsBoolean()) {
                Transaction transaction = datastore.newTransaction();
                try {
                    return append(transaction, fields);
                } catch (DatastoreException e) {
                    if (!isConflict(e)) {
                        throw e;
                    }
                    retries.increment();
                } finally {
                    end(transaction);
                }
            }
            return 0;
        }

        private long append(Transaction transaction, Map<String, ?> fields) {
            Key key = datastore.newKeyFactory().setKind(kind + "Counter").newKey("one");
            Entity counter = transaction.get(key);
            long number = counter == null ? 1 : counter.getLong("last") + 1;
            Key child = Key.newBuilder(key, kind, "n" + number).build();
            transaction.put(
                    Entity.newBuilder(key).set("last", unindexed(number)).build(),
                    record(child, number, fields).build());
            Transaction.Response unused = transaction.commit();
            return number;
        }
    }
}
