package io.counterkit.firestore.internal.counter;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.UpdateBuilder;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The writes of one commit to counters and shards, in the order of their paths, in which all commits take their
 * locks. The commit fails if a counter is created, deleted or sealed concurrently. No write resets a count to zero
 * or changes a shard count.
 */
public final class CounterWrites {
    private final FirestoreSchema schema;
    private final SortedMap<String, Consumer<UpdateBuilder<?>>> writes = new TreeMap<>();

    public CounterWrites(FirestoreSchema schema) {
        this.schema = schema;
    }

    /** Sets the write of a document. */
    public void put(DocumentReference document, Consumer<UpdateBuilder<?>> write) {
        writes.put(document.getPath(), write);
    }

    /**
     * Adds to a counter.
     *
     * @param isShardMissing whether to create the shard and the counter if they do not exist
     */
    public void add(String name, CounterDocument counter, DocumentReference shard, long delta, boolean isShardMissing) {
        if (counter.isThere() && !isShardMissing) {
            // Fails if there is no shard, since there may be no counter either.
            put(shard, builder -> builder.update(shard, schema.countPath(), FieldValue.increment(delta)));
        } else {
            create(name, counter);
            increment(shard, delta);
        }
    }

    /** Creates the missing documents of a counter that was just read and is not sealed. */
    void create(String name, CounterDocument counter) {
        DocumentReference document = schema.counter(name);
        Map<String, Object> fields = Map.of(schema.layout().shardCountField(), (long) counter.shards());
        String field = counter.field();
        if (counter.isThere()) {
            // Fails if the counter was changed, deleted or sealed since it was read. Adding 0 changes nothing.
            Precondition unchanged = Precondition.updatedAt(Objects.requireNonNull(counter.updated()));
            put(
                    document,
                    builder -> builder.update(
                            document, field == null ? fields : Map.of(field, FieldValue.increment(0)), unchanged));
        } else {
            put(document, builder -> builder.create(document, fields));
            if (schema.options().seeding() == Seeding.AT_CREATION) {
                seed(name, counter.shards());
            }
        }
    }

    /** Creates the missing shards with 0. */
    CounterWrites seed(String name, int shards) {
        for (int i = 0; i < shards; i++) {
            increment(schema.shard(name, i), 0);
        }
        return this;
    }

    /** Adds to a shard, and creates it if it does not exist. */
    private void increment(DocumentReference shard, long delta) {
        Map<String, Object> fields = Map.of(schema.layout().countField(), FieldValue.increment(delta));
        put(shard, builder -> builder.set(shard, fields, SetOptions.merge()));
    }

    public void writeTo(UpdateBuilder<?> builder) {
        writes.values().forEach(write -> write.accept(builder));
    }
}
