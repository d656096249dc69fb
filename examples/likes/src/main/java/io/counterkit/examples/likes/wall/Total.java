package io.counterkit.examples.likes.wall;

import io.counterkit.Reading;
import java.time.Duration;

/**
 * A total, and when it was read here.
 *
 * @param reading the total
 * @param readNanos when, by {@link System#nanoTime()}
 */
public record Total(Reading reading, long readNanos) {
    /** How old it may be by now. */
    public Duration age(long nanoTime) {
        return reading.staleness().plusNanos(Math.max(0, nanoTime - readNanos));
    }

    /** The one of the two that is of a later moment. */
    Total newer(Total other) {
        long mine = readNanos - reading.staleness().toNanos();
        long others = other.readNanos - other.reading.staleness().toNanos();
        return others - mine >= 0 ? other : this;
    }
}
