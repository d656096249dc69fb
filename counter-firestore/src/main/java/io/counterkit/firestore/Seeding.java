package io.counterkit.firestore;

/** When the shards of a counter are created. */
public enum Seeding {
    /**
     * All together with the counter, in one commit. Snippets of the published recipe that call {@code update} on a
     * shard need this.
     */
    AT_CREATION,
    /** Each with its first add. Cheaper if most counters get only a few adds. */
    ON_FIRST_USE
}
