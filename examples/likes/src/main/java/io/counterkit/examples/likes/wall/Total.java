package io.counterkit.examples.likes.wall;

import io.counterkit.Reading;
import java.time.Duration;

/**
 * A total, and when this process read it.
 *
 * @param reading the total
 * @param readNanos when it was read, by {@link System#nanoTime()}
 */
public record Total(Reading reading, long readNanos) {
    /** Returns the greatest possible age of the total at this {@link System#nanoTime()}. */
    public Duration age(long nanoTime) {
        return reading.staleness().plusNanos(Math.max(0, nanoTime - readNanos));
    }

    /** Returns the newer of the two. */
    Total newer(Total other) {
        long moment = readNanos - reading.staleness().toNanos();
        long othersMoment = other.readNanos - other.reading.staleness().toNanos();
        return othersMoment - moment >= 0 ? other : this;
    }
}
