package io.counterkit.spi;

/** The reports that one follower receives: see {@link SequenceStore#listen}. Thread-safe. */
public interface Listening extends AutoCloseable {
    /**
     * Returns whether later entries are reported soon. While they are, the follower reads the tail less often without a
     * report; while they are not, once per cadence. Does not block or read the store.
     */
    boolean isLive();

    /** Ends the reports. One that is running is not waited for. Idempotent. Throws nothing. */
    @Override
    void close();
}
