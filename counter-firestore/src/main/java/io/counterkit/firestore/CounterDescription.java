package io.counterkit.firestore;

import io.counterkit.Seal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a counter, for operators.
 *
 * @param name the name of the counter
 * @param isThere whether the counter has a document; without one it is not listed
 * @param shardCount the number of shards that adds are written to, as the document states it; null if it states none
 * @param shards the existing shards, foreign ones included, by number and then by id. A sealed counter has none, unless
 *     other software has created them again; the total does not include those
 * @param seal the seal; null if the counter is not sealed
 * @param writesLately the current writes per second to all shards by all processes, estimated from the time of each
 *     shard's last write; 0 if that does not show a rate, as with a single shard
 * @param activity the statistics of this process
 * @param advice the recommended shard count
 */
public record CounterDescription(
        String name,
        boolean isThere,
        @Nullable Long shardCount,
        List<Shard> shards,
        @Nullable Seal seal,
        double writesLately,
        CounterActivity activity,
        ShardAdvice advice) {
    public CounterDescription {
        shards = List.copyOf(shards);
    }

    /**
     * A shard.
     *
     * @param id the id of its document
     * @param count its stored count; null if there is none. Valid if it is a {@code Long}. A {@code Double} makes the
     *     total unreadable; the total ignores any other value.
     * @param share its absolute count divided by the sum of all absolute counts, 0 to 1
     */
    public record Shard(String id, @Nullable Object count, double share) {
        /** Returns whether the count is a whole number. */
        public boolean isSound() {
            return count instanceof Long;
        }
    }

    /** Returns the shards whose count is not a whole number. */
    public List<Shard> unsound() {
        return shards.stream().filter(shard -> !shard.isSound()).toList();
    }
}
