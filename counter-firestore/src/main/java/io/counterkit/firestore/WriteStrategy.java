package io.counterkit.firestore;

/** How an add changes its shard. Both strategies are exact, even if both are used on one counter. */
public enum WriteStrategy {
    /** An increment that the store executes without a read. One round trip, and writers rarely collide. */
    INCREMENT,
    /**
     * A transaction that reads the shard and writes the sum, as in the first version of the published recipe. Three round
     * trips. It collapses with more than a few writers of one shard: on the emulator, 16 writers of one shard get one add
     * per second. A process therefore has one such commit in flight. It serves stores and proxies without increments,
     * and comparisons.
     */
    TRANSACTION
}
