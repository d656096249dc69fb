package io.counterkit;

import org.jspecify.annotations.Nullable;

/** A counter that is being watched: see {@link Counter#watch}. Holds what it takes until it is closed. Thread-safe. */
public interface Watch extends AutoCloseable {
    /**
     * The newest reading that this watch has, and how old it may be by now; null before the first. The consumer is shown
     * changes alone; this also counts the looks that found the total as it was, about one each cadence, so its age stays
     * small while the counter can be read and grows while it cannot. Never goes back in time, never blocks and costs no
     * read; after {@link #close()} it is what was known then.
     *
     * <p>A backend's own watch may return null, as here: the API layer keeps what its
     * {@linkplain io.counterkit.spi.CounterStore.Sink sink} was given.
     */
    default @Nullable Reading latest() {
        return null;
    }

    /**
     * Ends the watch: after it, no call of the consumer begins. One that is running is not waited for, so that a consumer
     * may close its own watch. Does nothing the second time, and after {@link Counters#close()}, which ends all watches.
     */
    @Override
    void close();
}
