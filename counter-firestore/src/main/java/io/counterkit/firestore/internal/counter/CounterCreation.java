package io.counterkit.firestore.internal.counter;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.UpdateBuilder;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the documents of a counter, or of a shard that it lacks, as part of a commit that fails if the counter is made
 * or deleted at the same moment. Nothing that is there is set to zero or given another shard count.
 */
final class CounterCreation {
    private final FirestoreSchema schema;
    private final String name;
    private final int shards;
    private final boolean isThere;
    private final @Nullable String field;

    /** What to make is told by what is there. */
    CounterCreation(FirestoreSchema schema, String name, ShardCounts.ShardCount count) {
        this.schema = schema;
        this.name = name;
        this.shards = count.shards();
        this.isThere = count.isThere();
        this.field = count.field();
    }

    /** Adds what is to be written, by path. */
    void addTo(Map<String, Consumer<UpdateBuilder<?>>> writes) {
        DocumentReference counter = schema.counter(name);
        Map<String, Object> fields = Map.of(schema.options().shardCountField(), (long) shards);
        if (field != null) {
            String present = field;
            // Changes nothing, and fails if the counter is not there any more.
            writes.put(counter.getPath(), builder -> builder.update(counter, present, FieldValue.increment(0)));
        } else if (isThere) {
            writes.put(counter.getPath(), builder -> builder.set(counter, fields, SetOptions.merge()));
        } else {
            writes.put(counter.getPath(), builder -> builder.create(counter, fields));
            if (schema.options().seeding() == Seeding.AT_CREATION) {
                seed(writes);
            }
        }
    }

    /** Makes every shard that is not there, with 0. */
    void seed(Map<String, Consumer<UpdateBuilder<?>>> writes) {
        for (int i = 0; i < shards; i++) {
            DocumentReference shard = schema.shard(name, i);
            writes.put(shard.getPath(), builder -> increment(builder, shard, 0));
        }
    }

    /** Increments a shard that may not be there. */
    void increment(UpdateBuilder<?> builder, DocumentReference shard, long delta) {
        Map<String, Object> fields = Map.of(schema.options().countField(), FieldValue.increment(delta));
        builder.set(shard, fields, SetOptions.merge());
    }
}
