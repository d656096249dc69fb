package io.counterkit.firestore;

/** How an add changes its shard. All strategies are exact, even if several are used on one counter. */
public enum WriteStrategy {
    /** An increment that the store executes without a read. One round trip, and writers rarely collide. */
    INCREMENT,
    /**
     * An increment as above, which also stores the commit's token in a field of the shard, on condition that the shard
     * has not changed since this process last read or wrote it. It needs no token document, so an add is one billed
     * write instead of two writes and a delete. It saves writes if few processes write a counter, at most about one for
     * each of its shards. Otherwise, and for adds with a caller's token, an add creates a token document as {@link
     * #INCREMENT} does.
     *
     * <p>Every process that writes, deletes or seals the counters must run a version that knows this strategy, but need
     * not use it.
     */
    STAMP,
    /**
     * A transaction that reads the shard and writes the sum, as in the first version of the published recipe. Takes
     * three round trips. Its throughput collapses with more than a few writers of one shard: on the emulator, 16
     * writers of one shard complete one add per second. A process therefore has one such commit in flight. Use it for
     * stores and proxies without increments, and for comparisons.
     */
    TRANSACTION
}
