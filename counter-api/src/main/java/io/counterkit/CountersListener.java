package io.counterkit;

import io.counterkit.spi.ChangeTarget;
import java.time.Duration;

/**
 * Hears what a {@link Counters} does, for metrics and advice. Methods are called on the threads that do the work,
 * several at once, and must be quick. What one throws is logged and harms nobody.
 */
public interface CountersListener {
    /** A batch was answered; also each request that is not combined, as a batch of one. */
    default void onBatch(Batch batch) {}

    /** Another writer was in the way of a change of this counter or sequence. */
    default void onConflict(String name) {}

    /** A commit was sent once more because of {@code cause}. */
    default void onRetry(Throwable cause) {}

    /** A request, told in words, was refused because too many wait, or too large ones: see {@link CountersOptions}. */
    default void onQueueFull(String request) {}

    /** A total was read and was at most {@code staleness} old. */
    default void onRead(String counter, Duration staleness) {}

    /**
     * A batch that was answered.
     *
     * @param kind whether it held adds or appends
     * @param firstName the counter or sequence of its first request; adds of several counters may share a batch
     * @param requests how many adds or appends of callers it held
     * @param merged how many of them rode along in another one's add: a batch of 100 adds to one counter merges 99
     * @param failed how many of them failed
     * @param waiting how many requests were waiting when it was sent
     * @param latency from sending to the answer
     */
    record Batch(
            ChangeTarget.Kind kind,
            String firstName,
            int requests,
            int merged,
            int failed,
            int waiting,
            Duration latency) {}

    /** The listener that hears nothing and costs nothing. */
    static CountersListener disabled() {
        return DisabledListener.INSTANCE;
    }
}
