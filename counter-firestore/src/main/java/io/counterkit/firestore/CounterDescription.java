package io.counterkit.firestore;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.counter.ShardCounts;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A counter as it is stored, for people who look after one.
 *
 * @param name its name
 * @param isThere whether it has a document of its own, without which it is not listed
 * @param shardCount how many shards adds go to, as the document says; null if it does not say
 * @param shards those that are there, by number and then by id, foreign ones too
 * @param writesLately how many writes a second all shards together seem to get now, by whatever process: guessed from
 *     how long ago each was written; 0 where that tells nothing, as with a single shard
 * @param activity what this process has had to do with it
 * @param advice how many shards it should have
 */
public record CounterDescription(
        String name,
        boolean isThere,
        @Nullable Long shardCount,
        List<Shard> shards,
        double writesLately,
        CounterActivity activity,
        ShardAdvice advice) {
    public CounterDescription {
        shards = List.copyOf(shards);
    }

    /**
     * A shard.
     *
     * @param id its document's id
     * @param count what it holds: a {@code Long}; anything else is wrong and left out of the total, but for a
     *     {@code Double}, which spoils it; null for nothing
     * @param share its part of what the shards have counted, 0 to 1: its absolute count by the sum of all of them
     */
    public record Shard(String id, @Nullable Object count, double share) {
        /** Whether it holds a whole number, as it should. */
        public boolean isSound() {
            return count instanceof Long;
        }
    }

    /** The shards that hold no whole number. */
    public List<Shard> unsound() {
        return shards.stream().filter(shard -> !shard.isSound()).toList();
    }

    public static CompletableFuture<CounterDescription> read(
            FirestoreSchema schema, String name, CounterActivity activity, Call call) {
        return schema.requests()
                .of(call, schema.counter(name)::get)
                .thenCombine(schema.requests().of(call, schema.shards(name)::get), (counter, shards) -> {
                    String field = counter.exists() ? schema.shardCountField(counter) : null;
                    double lately = writesLately(shards);
                    return new CounterDescription(
                            name,
                            counter.exists(),
                            field == null ? null : counter.getLong(field),
                            shards(shards.getDocuments(), schema.options().countField()),
                            lately,
                            activity,
                            ShardAdvice.of(
                                    ShardCounts.of(schema, counter).shards(),
                                    schema.options().writesPerShardToPlanWith(),
                                    lately,
                                    activity));
                });
    }

    /**
     * Where writes come at random, the time since the last one tells their rate: as many as the shards that were written
     * since they were made, less one, in the sum of the ages of all. All by the store's clock.
     */
    private static double writesLately(QuerySnapshot shards) {
        int written = 0;
        double seconds = 0;
        for (DocumentSnapshot shard : shards.getDocuments()) {
            Timestamp last = Objects.requireNonNull(shard.getUpdateTime());
            written += last.equals(shard.getCreateTime()) ? 0 : 1;
            seconds += secondsBetween(last, shards.getReadTime());
        }
        return written < 2 ? 0 : (written - 1) / Math.max(0.001, seconds) * shards.size();
    }

    private static double secondsBetween(Timestamp from, Timestamp to) {
        return to.getSeconds() - from.getSeconds() + (to.getNanos() - from.getNanos()) / 1e9;
    }

    public static List<Shard> shards(List<? extends DocumentSnapshot> documents, String field) {
        double all = 0;
        for (DocumentSnapshot document : documents) {
            all += weight(document.get(field));
        }
        List<Shard> shards = new ArrayList<>();
        for (DocumentSnapshot document : documents) {
            Object count = document.get(field);
            shards.add(new Shard(document.getId(), count, all == 0 ? 0 : weight(count) / all));
        }
        shards.sort(
                Comparator.comparingInt((Shard shard) -> shard.id().length()).thenComparing(Shard::id));
        return shards;
    }

    private static double weight(@Nullable Object count) {
        return count instanceof Long value ? Math.abs((double) value) : 0;
    }
}
