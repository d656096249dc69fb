package io.counterkit.firestore;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tells how long ago a moment of the store was, though the store tells its time only with answers: the time of an answer
 * was not before it was asked for, and both clocks go at the same pace from there. Thread-safe.
 */
final class StoreClock {
    private volatile @Nullable Answer latest;

    /** An answer's time by the store's clock, and when it was asked for by ours. */
    private record Answer(Instant at, long asked) {}

    /** Takes note of an answer that is of this moment and was asked for then, by {@link System#nanoTime()}. */
    void note(Instant at, long asked) {
        latest = new Answer(at, asked);
    }

    /**
     * The moment by {@link System#nanoTime()}, or one before it; null if the store has not answered yet. Moments that are
     * centuries apart have no place on that scale, and are as long ago as it goes.
     */
    @Nullable Long nanosOf(Instant moment) {
        Answer answer = latest;
        if (answer == null) {
            return null;
        }
        Duration since = Duration.between(moment, answer.at());
        long nanos = since.abs().toDays() < 36_500 ? since.toNanos() : Long.MAX_VALUE / 4;
        return Math.min(answer.asked() - nanos, System.nanoTime());
    }
}
