package io.counterkit.benchmarks.firestore;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The times at one rate.
 *
 * @param part the rate as a part of the highest rate of the contender
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
    static final String HEADING = "| counters | round trip | adds by | of its highest rate | adds/s | p50 ms | p99 ms"
            + " | p99.9 ms | started late, p99 ms | failed |\n|---|---|---|---|---|---|---|---|---|---|";

    /**
     * Returns the point to which several processes and windows contribute.
     *
     * @param results those of {@link PacedProcess#result}
     */
    static OpenLoopPoint of(
            String contender, int counters, Duration roundTrip, double part, double rate, List<String> results) {
        Histogram times = new Histogram(3);
        Histogram delays = new Histogram(3);
        long failures = 0;
        for (String result : results) {
            String[] words = result.split(" ", -1);
            failures += Long.parseLong(words[0]);
            times.add(decode(words[1]));
            delays.add(decode(words[2]));
        }
        return new OpenLoopPoint(contender, counters, roundTrip, part, rate, times, delays, failures);
    }

    private static Histogram decode(String histogram) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(histogram)), 0);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("histogram \"" + histogram + "\": its format is wrong", e);
        }
    }

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
