package io.counterkit.firestore;

import java.time.Duration;

/**
 * Statistics of the adds of one process to one counter, since its backend was created. They start again for a counter
 * that is not among the 10,000 to which the process added most recently.
 *
 * @param commits the number of commits sent
 * @param conflicts the number of times that a commit waited for the lock of another writer. The store does not report
 *     which counter that concerns: in a commit of several counters, the conflict counts for the counter with the most
 *     recent commits of this process per shard
 * @param busiest the highest rate of commits over ten seconds, in commits per second
 * @param meanLatency the mean time from sending a commit to its answer, retries included
 * @param longestLatency the longest such time
 * @param meanWait the mean time that a commit waited to be sent, because all shards had reached the rate that {@link
 *     FirestoreCounterOptions.Builder#writesPerShard} allows
 */
public record CounterActivity(
        long commits,
        long conflicts,
        double busiest,
        Duration meanLatency,
        Duration longestLatency,
        Duration meanWait) {}
