package io.counterkit.firestore.internal.counter;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How many shards each counter has, as last seen by this process. What is remembered may be out of date, and that does
 * no harm: reading sums whatever shards there are, and an add to a shard that is not there is told so.
 */
public final class ShardCounts {
    /** About 100 bytes each. Beyond that many counters in use at once, all are forgotten and read anew. */
    private static final int MOST_REMEMBERED = 100_000;

    private final FirestoreSchema schema;
    private final Map<String, ShardCount> remembered = new ConcurrentHashMap<>();

    public ShardCounts(FirestoreSchema schema) {
        this.schema = schema;
    }

    /**
     * What the document of a counter says.
     *
     * @param shards how many it has, or is to have if it is not there
     * @param isThere whether the document is
     * @param field which of its fields holds the number; null if none does
     */
    public record ShardCount(
            int shards, boolean isThere, @Nullable String field) {}

    /** The counts of these counters, from memory where they are in it. */
    public CompletableFuture<Map<String, ShardCount>> of(Collection<String> names, Call call) {
        Map<String, ShardCount> counts = new HashMap<>();
        for (String name : names) {
            ShardCount count = remembered.get(name);
            if (count != null) {
                counts.put(name, count);
            }
        }
        List<String> others =
                names.stream().filter(name -> !counts.containsKey(name)).toList();
        if (others.isEmpty()) {
            return CompletableFuture.completedFuture(counts);
        }
        return read(others, call).thenApply(found -> {
            counts.putAll(found);
            return counts;
        });
    }

    /** The counts of these counters as the store has them now. */
    public CompletableFuture<Map<String, ShardCount>> read(List<String> names, Call call) {
        DocumentReference[] references = names.stream().map(schema::counter).toArray(DocumentReference[]::new);
        return schema.sender()
                .ask(call, () -> schema.firestore().getAll(references))
                .thenApply(documents -> {
                    Map<String, ShardCount> counts = new HashMap<>();
                    for (int i = 0; i < names.size(); i++) {
                        ShardCount count = of(schema, documents.get(i));
                        counts.put(names.get(i), count);
                        remember(names.get(i), count);
                    }
                    return counts;
                });
    }

    public static ShardCount of(FirestoreSchema schema, DocumentSnapshot counter) {
        String field = counter.exists() ? schema.shardCountField(counter) : null;
        Long stored = field == null ? null : counter.getLong(field);
        long shards = stored == null ? schema.options().shards() : stored;
        return new ShardCount(
                (int) Math.max(1, Math.min(shards, FirestoreCounterOptions.MAX_SHARDS)), counter.exists(), field);
    }

    void remember(String name, ShardCount count) {
        if (!count.isThere()) {
            remembered.remove(name);
            return;
        }
        if (remembered.size() >= MOST_REMEMBERED) {
            remembered.clear();
        }
        remembered.put(name, count);
    }

    void forget(String name) {
        remembered.remove(name);
    }
}
