package io.counterkit.firestore;

import java.time.Duration;

/**
 * What one process has had to do with one counter since its backend was made.
 *
 * @param commits the commits of adds to it that were sent
 * @param conflicts how often another writer was in the way of one of these
 * @param busiest the most commits a second, over the busiest ten seconds
 * @param meanLatency from sending a commit to its answer, repetitions included
 * @param longestLatency the longest of these
 * @param meanWait how long a commit waited before, because all shards were written to as often as
 *     {@link FirestoreCounterOptions.Builder#writesPerShard} allows
 */
public record CounterActivity(
        long commits,
        long conflicts,
        double busiest,
        Duration meanLatency,
        Duration longestLatency,
        Duration meanWait) {
    public static final CounterActivity NONE =
            new CounterActivity(0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
}
