package io.counterkit;

import io.counterkit.spi.ChangeTarget;
import java.time.Duration;

/**
 * Receives the events of a {@link Counters}, for example to record metrics. Methods are called concurrently on the
 * threads that do the work and must be quick. Exceptions that they throw are logged and otherwise ignored.
 */
public interface CountersListener {
    /** Called when a batch was answered. A request that is not combined is a batch of one. */
    default void onBatch(Batch batch) {}

    /** Called when another writer changed this counter or sequence at the same time. */
    default void onConflict(String name) {}

    /** Called when a call to the store, a read or a change, is made again because of {@code cause}. */
    default void onRetry(Throwable cause) {}

    /** Called when a request, described in words, is refused with a {@link QueueFullException}. */
    default void onQueueFull(String request) {}

    /** Called when a total was read that was at most {@code staleness} old. */
    default void onRead(String counter, Duration staleness) {}

    /**
     * A batch that was answered.
     *
     * @param kind whether the batch had adds or appends
     * @param firstName the counter or sequence of the first request; adds of several counters may share a batch
     * @param requests the number of adds or appends of callers
     * @param merged how many of them were merged into the add of another request; for example, 99 of 100 adds to one
     *     counter
     * @param failed how many of them failed
     * @param waiting the number of requests that were waiting when the batch was sent
     * @param latency the time from sending to the answer
     */
    record Batch(
            ChangeTarget.Kind kind,
            String firstName,
            int requests,
            int merged,
            int failed,
            int waiting,
            Duration latency) {}

    /** Returns the listener that ignores all events. */
    static CountersListener disabled() {
        return DisabledListener.INSTANCE;
    }
}
