package io.counterkit;

/** A counter that is being watched: see {@link Counter#watch}. Holds what it takes until it is closed. Thread-safe. */
public interface Watch extends AutoCloseable {
    /**
     * Ends the watch: after it, no call of the consumer begins. One that is running is not waited for, so that a consumer
     * may close its own watch. Does nothing the second time, and after {@link Counters#close()}, which ends all watches.
     */
    @Override
    void close();
}
