package io.counterkit.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A counter as it is stored, for people who look after one.
 *
 * @param name its name
 * @param isThere whether it has a document of its own, without which it is not listed
 * @param shardCount how many shards adds go to, as the document says; null if it does not say
 * @param shards those that are there, by number and then by id, foreign ones too
 */
public record CounterDescription(
        String name, boolean isThere, @Nullable Long shardCount, List<Shard> shards) {
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

    static CompletableFuture<CounterDescription> read(FirestoreSchema schema, String name, Call call) {
        return Futures.of(call, schema.counter(name)::get)
                .thenCombine(Futures.of(call, schema.shards(name)::get), (counter, shards) -> {
                    String field = counter.exists() ? schema.shardCountField(counter) : null;
                    return new CounterDescription(
                            name,
                            counter.exists(),
                            field == null ? null : counter.getLong(field),
                            shards(shards.getDocuments(), schema.options().countField()));
                });
    }

    private static List<Shard> shards(List<? extends DocumentSnapshot> documents, String field) {
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
