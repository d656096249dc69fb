package io.counterkit;

import org.jspecify.annotations.Nullable;

/** A watch of a counter: see {@link Counter#watch}. Holds its resources until it is closed. Thread-safe. */
public interface Watch extends AutoCloseable {
    /**
     * Returns the newest reading with its current staleness, or null before the first one. Unlike the consumer, this
     * method also reflects reads of an unchanged total, about one per cadence. The staleness therefore stays small
     * while the counter can be read, and grows while it cannot. Readings never go back in time. Does not block or read
     * the store. After {@link #close()} returns the last reading before it.
     *
     * <p>The default returns null. A backend's own watch need not override it, because the API layer keeps the readings
     * that its {@linkplain io.counterkit.spi.CounterStore.Sink sink} receives.
     */
    default @Nullable Reading latest() {
        return null;
    }

    /**
     * Ends the watch. No call of a consumer starts afterwards. Does not wait for a call that is running, so a consumer
     * may close its own watch. Idempotent. {@link Counters#close()} closes all watches.
     */
    @Override
    void close();
}
