package io.counterkit.firestore;

import io.counterkit.firestore.internal.stamp.Stamps;
import io.counterkit.spi.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Options of shards: how many a counter has, when they are created, and how they are written.
 *
 * @param shards the number of shards of a new counter; null for the default
 * @param minShards the fewest shards if their number follows the load, otherwise 0
 * @param maxShards the most shards if their number follows the load, otherwise 0
 * @param writesPerShard the sustained writes per second of a process to one shard; null for the default
 */
record Sharding(
        @Nullable Integer shards,
        int minShards,
        int maxShards,
        Seeding seeding,
        WriteStrategy writeStrategy,
        int commitsInFlight,
        @Nullable Double writesPerShard,
        int writeBurst) {
    private static final int DEFAULT_SHARDS = 10;

    static int checkCount(int shards) {
        return Limits.checkBetween("shard count", shards, 1, FirestoreCounterOptions.MAX_SHARDS);
    }

    boolean isAdaptive() {
        return maxShards > 0;
    }

    /** Returns the number of shards of a new counter. */
    int initial() {
        if (shards != null) {
            return shards;
        }
        return isAdaptive() ? Math.max(minShards, Math.min(DEFAULT_SHARDS, maxShards)) : DEFAULT_SHARDS;
    }

    /** Throws {@link IllegalArgumentException} if these options contradict each other, or the layout. */
    void check(Layout layout) {
        if (writeStrategy == WriteStrategy.STAMP && layout.countField().equals(Stamps.FIELD)) {
            throw new IllegalArgumentException("count field '" + layout.countField()
                    + "': with stamps, this field of a shard holds the stamps, so choose another name");
        }
        if (!isAdaptive()) {
            return;
        }
        String range = minShards + " to " + maxShards + " adaptive shards";
        if (layout.hasFlatShards()) {
            throw new IllegalArgumentException(range + " with flat shards: other software may use these collections, so"
                    + " their shard counts are not changed without a call; use reshard instead");
        }
        if (shards != null && (shards < minShards || shards > maxShards)) {
            throw new IllegalArgumentException(
                    range + " that begin with " + shards + ": begin with a number within this range");
        }
    }
}
