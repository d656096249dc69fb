package io.counterkit.spi;

/**
 * The reports that one follower or one watch receives: see {@link SequenceStore#listen} and
 * {@link CounterStore#listen}. Thread-safe.
 */
public interface Listening extends AutoCloseable {
    /**
     * Returns whether later changes are reported soon. While they are, a follower reads the tail after a report, and
     * rarely without one; while they are not, it reads the tail once per cadence. A watch always reads once per
     * cadence. Becomes true soon after the start and after an outage: if the store never reports changes, {@code listen}
     * returns null. Does not block or read the store.
     */
    boolean isLive();

    /** Ends the reports. Does not wait for a report that is running. Idempotent. Throws nothing. */
    @Override
    void close();
}
