package io.counterkit.firestore.internal.counter;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.UpdateBuilder;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What a commit writes to add to some counters: one increment for each, to a shard that is chosen once and then
 * stays. Only whether documents have to be made as well may change from one attempt to the next.
 */
public final class AddWrites {
    private final FirestoreSchema schema;
    private final SortedMap<String, Long> deltas;
    private final Map<String, DocumentReference> shards = new HashMap<>();
    private Map<String, ShardCounts.ShardCount> counts;
    private boolean isShardMissing;
    private final Map<String, Long> waits = new HashMap<>();
    private long waitNanos;

    public AddWrites(
            FirestoreSchema schema,
            ShardRateLimiter pace,
            SortedMap<String, Long> deltas,
            Map<String, ShardCounts.ShardCount> counts) {
        this.schema = schema;
        this.deltas = deltas;
        this.counts = counts;
        counts.forEach((name, count) -> {
            ShardRateLimiter.Turn turn = pace.next(name, count.shards());
            shards.put(name, schema.shard(name, turn.shard()));
            waits.put(name, turn.waitNanos());
            waitNanos = Math.max(waitNanos, turn.waitNanos());
        });
    }

    /** How long each counter's shard has to be waited for. */
    Map<String, Long> waits() {
        return waits;
    }

    /** How long to wait until all of the shards may be written to. */
    long waitNanos() {
        return waitNanos;
    }

    SortedMap<String, Long> deltas() {
        return deltas;
    }

    DocumentReference shard(String name) {
        return Objects.requireNonNull(shards.get(name));
    }

    /** Takes note of what the store has by now. */
    void update(Map<String, ShardCounts.ShardCount> newCounts) {
        counts = newCounts;
    }

    /** Makes the shards that are missing, from now on. */
    public void makeShards() {
        isShardMissing = true;
    }

    /** What the store has once this is written. */
    void rememberIn(ShardCounts shardCounts) {
        counts.forEach((name, count) -> {
            if (!count.isThere()) {
                shardCounts.remember(name, new ShardCounts.ShardCount(count.shards(), true, null));
            }
        });
    }

    /** Writes in the order of paths, in which all commits take their locks. */
    public void writeTo(UpdateBuilder<?> builder) {
        SortedMap<String, Consumer<UpdateBuilder<?>>> writes = new TreeMap<>();
        deltas.forEach((name, delta) -> {
            ShardCounts.ShardCount count = Objects.requireNonNull(counts.get(name));
            DocumentReference shard = shard(name);
            if (count.isThere() && !isShardMissing) {
                // Not merged into a new document: where there is no shard, there may be no counter any more.
                writes.put(
                        shard.getPath(),
                        any -> any.update(shard, schema.options().countField(), FieldValue.increment(delta)));
                return;
            }
            CounterCreation creation = new CounterCreation(schema, name, count);
            creation.addTo(writes);
            writes.put(shard.getPath(), any -> creation.increment(any, shard, delta));
        });
        writes.values().forEach(write -> write.accept(builder));
    }
}
