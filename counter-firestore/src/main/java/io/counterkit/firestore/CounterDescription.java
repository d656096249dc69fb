package io.counterkit.firestore;

import java.util.List;
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
}
