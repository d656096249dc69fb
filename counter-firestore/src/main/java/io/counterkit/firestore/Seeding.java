package io.counterkit.firestore;

/** When the shards of a counter are made. */
public enum Seeding {
    /**
     * All of them together with the counter, in one commit. Snippets of the published recipe that call {@code update}
     * on a shard need this.
     */
    AT_CREATION,
    /** Each with the first add that goes there. Cheaper where most counters are added to a few times only. */
    ON_FIRST_USE
}
