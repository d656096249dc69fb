package io.counterkit.spi;

/**
 * The reports that one follower or one watch receives: see {@link SequenceStore#listen} and {@link CounterStore#listen}.
 * Thread-safe.
 */
public interface Listening extends AutoCloseable {
    /**
     * Returns whether later changes are reported soon. While they are, a follower reads the tail less often without a
     * report; while they are not, once per cadence. A watch always reads once per cadence. Does not block or read the
     * store.
     */
    boolean isLive();

    /** Ends the reports. One that is running is not waited for. Idempotent. Throws nothing. */
    @Override
    void close();
}
