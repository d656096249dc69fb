package io.counterkit.firestore;

/** How an add changes its shard. Both are exact; counters written in both ways at once are too. */
public enum WriteStrategy {
    /** An increment that the store carries out, without reading first. One round trip, and writers hardly collide. */
    INCREMENT,
    /**
     * A transaction that reads the shard and writes the sum, as the first version of the published recipe did. Three
     * round trips. It collapses beyond a few writers of one shard: measured on the emulator, 16 writers of one shard
     * get one add a second. So a process has one such commit on its way at a time. Here for stores and proxies that know no increments, and for comparison.
     */
    TRANSACTION
}
