package io.counterkit.firestore;

import java.time.Duration;

/**
 * What one process has observed of its adds to one counter since its backend was created.
 *
 * @param commits the number of commits sent
 * @param conflicts the number of times that another writer held a lock that one of these needed. The store does not say of
 *     which counter: in a commit of several, this counts for the one that this process has lately committed to most often
 *     for each of its shards
 * @param busiest the most commits per second, over the busiest ten seconds
 * @param meanLatency the mean time from sending a commit to its answer, retries included
 * @param longestLatency the longest such time
 * @param meanWait the mean time that a commit waited before, because all shards had reached the rate that {@link
 *     FirestoreCounterOptions.Builder#writesPerShard} allows
 */
public record CounterActivity(
        long commits,
        long conflicts,
        double busiest,
        Duration meanLatency,
        Duration longestLatency,
        Duration meanWait) {}
