package io.counterkit.benchmarks.firestore;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * The times at one rate.
 *
 * @param part the rate as a part of what the contender bears
 * @param rate adds a second
 * @param times in nanoseconds, from the moment when each add was due
 * @param delays by how many nanoseconds the adds were started late, which is a part of their times
 * @param failures how many adds failed
 */
record OpenLoopPoint(
        String contender,
        int counters,
        Duration roundTrip,
        double part,
        double rate,
        Histogram times,
        Histogram delays,
        long failures) {
    static final String HEADING = "| counters | round trip | adds by | of what it bears | adds/s | p50 ms | p99 ms"
            + " | p99.9 ms | started late, p99 ms | failed |\n|---|---|---|---|---|---|---|---|---|---|";

    /** Returns the time that this percentage of adds did not exceed, in milliseconds. */
    double millis(double percentile) {
        return times.getValueAtPercentile(percentile) / 1e6;
    }

    /** Returns a row below {@link #HEADING}. */
    @Override
    public String toString() {
        return String.format(
                "| %,d | %d ms | %s | %.1f | %,.0f | %.2f | %.2f | %.2f | %.2f | %d |",
                counters,
                roundTrip.toMillis(),
                contender,
                part,
                rate,
                millis(50),
                millis(99),
                millis(99.9),
                delays.getValueAtPercentile(99) / 1e6,
                failures);
    }
}
