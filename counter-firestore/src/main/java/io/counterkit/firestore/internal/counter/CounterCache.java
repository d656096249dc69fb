package io.counterkit.firestore.internal.counter;

import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.CounterException;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import io.counterkit.spi.RecentlyUsed;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The documents of the counters that this process last read or wrote. A remembered document may be stale: reads sum all
 * existing shards, and an add to a missing shard fails as not applied. An add to a sealed counter fails likewise, since
 * its shards are deleted. Thread-safe.
 */
public final class CounterCache {
    /** About 100 bytes each. */
    private static final int MOST_REMEMBERED = 100_000;

    /** The documents that an add of weight 1 may create: a counter with the default number of shards. */
    private static final int DOCUMENTS_OF_WEIGHT = 11;

    private final FirestoreSchema schema;
    private final int weightOfNew;
    private final RecentlyUsed<String, CounterDocument> remembered = new RecentlyUsed<>(MOST_REMEMBERED);

    public CounterCache(FirestoreSchema schema) {
        this.schema = schema;
        int created = schema.options().seeding() == Seeding.AT_CREATION
                ? schema.options().shards() + 1
                : 2;
        this.weightOfNew = (created + DOCUMENTS_OF_WEIGHT - 1) / DOCUMENTS_OF_WEIGHT;
    }

    /** Returns the document of a counter if this process knows it without a read, or else null. */
    @Nullable CounterDocument remembered(String name) {
        CounterException refusal = schema.refusalOfName(name);
        return refusal == null ? remembered.get(name) : new CounterDocument(1, false, null, null, null, refusal);
    }

    /**
     * Returns the weight of an add to a counter: 1 for a shard, or more if the add may create the counter with many
     * shards. So a commit creates at most 11 documents for each unit of weight, and is smaller than the store's limit
     * of 10 MiB whatever the names are.
     */
    int weight(String name) {
        return weightOfNew == 1 || remembered.get(name) != null ? 1 : weightOfNew;
    }

    /** Returns the content of a counter's document, and remembers it. */
    public CounterDocument noteRead(String name, DocumentSnapshot document) {
        CounterDocument counter = CounterDocument.of(schema, document);
        remember(name, counter);
        return counter;
    }

    /** Returns the documents of counters, and reads those that are not remembered. */
    public CompletableFuture<Map<String, CounterDocument>> rememberedOrRead(Collection<String> names, Call call) {
        Map<String, CounterDocument> counters = new HashMap<>();
        for (String name : names) {
            CounterDocument counter = remembered(name);
            if (counter != null) {
                counters.put(name, counter);
            }
        }
        List<String> others =
                names.stream().filter(name -> !counters.containsKey(name)).toList();
        return others.isEmpty()
                ? CompletableFuture.completedFuture(counters)
                : read(others, call).thenApply(found -> {
                    counters.putAll(found);
                    return counters;
                });
    }

    /** Returns the number of shards that adds of this process go to; null if it is not remembered. */
    public @Nullable Integer shardCount(String name) {
        CounterDocument counter = remembered.get(name);
        return counter == null || counter.seal() != null ? null : counter.shards();
    }

    /** Reads the documents of counters from the store, and remembers them. */
    public CompletableFuture<Map<String, CounterDocument>> read(Collection<String> names, Call call) {
        return DocumentReads.byKey(schema, call, names, schema::counter).thenApply(documents -> {
            Map<String, CounterDocument> counters = new HashMap<>();
            documents.forEach((name, document) -> counters.put(name, noteRead(name, document)));
            return counters;
        });
    }

    /** Remembers the document of a counter, or forgets it if it does not exist or cannot be changed. */
    void remember(String name, CounterDocument counter) {
        if (counter.isThere() && counter.problem() == null) {
            remembered.put(name, counter);
        } else {
            remembered.remove(name);
        }
    }

    void forget(String name) {
        remembered.remove(name);
    }
}
