package io.counterkit.firestore.internal.counter;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.UpdateBuilder;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.SealedException;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import io.counterkit.spi.RecentlyUsed;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The shard count of each counter that this process last read or wrote, and the writes to counters and shards. A
 * remembered count may be stale: reads sum all existing shards, and an add to a missing shard fails as not applied. An
 * add to a sealed counter fails likewise, since its shards are deleted. Thread-safe.
 */
public final class CounterShards {
    /** About 100 bytes each. */
    private static final int MOST_REMEMBERED = 100_000;

    /** The documents that an add of weight 1 may create: a counter with the default number of shards. */
    private static final int DOCUMENTS_OF_WEIGHT = 11;

    private final FirestoreSchema schema;
    private final int weightOfNew;
    private final RecentlyUsed<String, ShardCount> remembered = new RecentlyUsed<>(MOST_REMEMBERED);

    public CounterShards(FirestoreSchema schema) {
        this.schema = schema;
        int created = schema.options().seeding() == Seeding.AT_CREATION
                ? schema.options().shards() + 1
                : 2;
        this.weightOfNew = (created + DOCUMENTS_OF_WEIGHT - 1) / DOCUMENTS_OF_WEIGHT;
    }

    /**
     * The content of a counter's document.
     *
     * @param shards the number of its shards, or the number to create if the document does not exist
     * @param isThere whether the document exists
     * @param field the field that holds the number; null if there is none
     * @param updated when the document was last changed; null if it does not exist, or was not read since this process
     *     wrote it
     * @param seal the seal; null if the counter is not sealed
     * @param problem why the counter cannot be changed although it is not sealed; null if it can
     */
    public record ShardCount(
            int shards,
            boolean isThere,
            @Nullable String field,
            @Nullable Timestamp updated,
            @Nullable CounterSeal seal,
            @Nullable CounterException problem) {
        /** Reads the document of a counter; for one that does not exist, the count is the number to create. */
        public static ShardCount of(FirestoreSchema schema, DocumentSnapshot counter) {
            String field = schema.shardCountField(counter);
            Long stored = field == null ? null : counter.getLong(field);
            long shards = stored == null ? schema.options().shards() : stored;
            CounterSeal seal = null;
            CorruptDataException problem = null;
            try {
                seal = CounterSeal.of(counter);
            } catch (CorruptDataException e) {
                problem = e; // concerns this counter only, and others were read with it
            }
            return new ShardCount(
                    (int) Math.max(1, Math.min(shards, FirestoreCounterOptions.MAX_SHARDS)),
                    counter.exists(),
                    field,
                    counter.getUpdateTime(),
                    seal,
                    problem);
        }

        /** Returns the content of a document that this process has just written. */
        static ShardCount written(int shards, @Nullable String field) {
            return new ShardCount(shards, true, field, null, null, null);
        }

        /** Returns the failure of each change of this counter; null if it can be changed. */
        public @Nullable CounterException refusal(String name) {
            return seal == null ? problem : new SealedException(name, seal.seal());
        }
    }

    /** Returns the shard count of a counter if this process knows it without a read, or else null. */
    @Nullable ShardCount remembered(String name) {
        CounterException refusal = schema.refusalOfName(name);
        return refusal == null ? remembered.get(name) : new ShardCount(1, false, null, null, null, refusal);
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
    public ShardCount noteRead(String name, DocumentSnapshot counter) {
        ShardCount count = ShardCount.of(schema, counter);
        remember(name, count);
        return count;
    }

    /** Returns the shard counts of counters, and reads those that are not remembered. */
    public CompletableFuture<Map<String, ShardCount>> rememberedOrRead(Collection<String> names, Call call) {
        Map<String, ShardCount> counts = new HashMap<>();
        for (String name : names) {
            ShardCount count = remembered(name);
            if (count != null) {
                counts.put(name, count);
            }
        }
        List<String> others =
                names.stream().filter(name -> !counts.containsKey(name)).toList();
        return others.isEmpty()
                ? CompletableFuture.completedFuture(counts)
                : read(others, call).thenApply(found -> {
                    counts.putAll(found);
                    return counts;
                });
    }

    /** Returns the number of shards that adds of this process go to; null if it is not remembered. */
    public @Nullable Integer known(String name) {
        ShardCount count = remembered.get(name);
        return count == null || count.seal() != null ? null : count.shards();
    }

    /** Reads the shard counts of counters from the store. */
    public CompletableFuture<Map<String, ShardCount>> read(Collection<String> names, Call call) {
        return DocumentReads.byKey(schema, call, names, schema::counter).thenApply(documents -> {
            Map<String, ShardCount> counts = new HashMap<>();
            documents.forEach((name, document) -> counts.put(name, noteRead(name, document)));
            return counts;
        });
    }

    void remember(String name, ShardCount count) {
        if (count.isThere() && count.problem() == null) {
            remembered.put(name, count);
        } else {
            remembered.remove(name);
        }
    }

    void forget(String name) {
        remembered.remove(name);
    }

    public Writes writes() {
        return new Writes();
    }

    /**
     * The writes of one commit to counters and shards, in the order of their paths, in which all commits take their
     * locks. The commit fails if a counter is created, deleted or sealed concurrently. No write resets a count to zero
     * or changes a shard count.
     */
    public final class Writes {
        private final SortedMap<String, Consumer<UpdateBuilder<?>>> writes = new TreeMap<>();

        private Writes() {}

        /** Sets the write of a document. */
        public void put(DocumentReference document, Consumer<UpdateBuilder<?>> write) {
            writes.put(document.getPath(), write);
        }

        /**
         * Adds to a counter.
         *
         * @param isShardMissing whether to create the shard and the counter if they do not exist
         */
        public void add(String name, ShardCount count, DocumentReference shard, long delta, boolean isShardMissing) {
            if (count.isThere() && !isShardMissing) {
                // Fails if there is no shard, since there may be no counter either.
                put(shard, builder -> builder.update(shard, schema.countPath(), FieldValue.increment(delta)));
            } else {
                create(name, count);
                increment(shard, delta);
            }
        }

        /** Creates the missing documents of a counter that was just read and is not sealed. */
        void create(String name, ShardCount count) {
            DocumentReference counter = schema.counter(name);
            Map<String, Object> fields = Map.of(schema.layout().shardCountField(), (long) count.shards());
            String field = count.field();
            if (count.isThere()) {
                // Fails if the counter was changed, deleted or sealed since it was read. Adding 0 changes nothing.
                Precondition unchanged = Precondition.updatedAt(Objects.requireNonNull(count.updated()));
                put(
                        counter,
                        builder -> builder.update(
                                counter, field == null ? fields : Map.of(field, FieldValue.increment(0)), unchanged));
            } else {
                put(counter, builder -> builder.create(counter, fields));
                if (schema.options().seeding() == Seeding.AT_CREATION) {
                    seed(name, count.shards());
                }
            }
        }

        /** Creates the missing shards with 0. */
        Writes seed(String name, int shards) {
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
}
