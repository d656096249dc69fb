package io.counterkit;

/** A follower of a sequence: see {@link Sequence#follow}. Uses a thread until it is closed. Thread-safe. */
public interface Follower extends AutoCloseable {
    /**
     * Returns the number of the last entry that the consumer has processed; before the first one, the number before the
     * start, or 0 until the checkpoint is read. {@link Sequence#last()} minus the position is the number of
     * entries that remain. Does not block or read the store.
     */
    long position();

    /**
     * Ends the follower. No call of the consumer starts afterwards. Waits until the call that is running has ended and
     * the checkpoint, if there is one, is stored; at most for {@link CountersOptions#drainTimeout()}, and not at all if
     * the consumer itself closes its follower. If the thread is interrupted, restores its interrupt flag and stops
     * waiting. Idempotent. {@link Counters#close()} closes all followers.
     */
    @Override
    void close();
}
