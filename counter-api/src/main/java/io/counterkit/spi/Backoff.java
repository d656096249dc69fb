package io.counterkit.spi;

import io.counterkit.NotAppliedException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Exponential back-off: the pause before a retry doubles with each attempt that failed, up to a longest pause.
 *
 * @param firstNanos the pause after the first failed attempt, in nanoseconds
 * @param longestNanos the longest pause, in nanoseconds
 */
public record Backoff(long firstNanos, long longestNanos) {
    private static final int MAX_DOUBLINGS = 63;
    private static final int READ_ATTEMPTS = 10;
    private static final long LONGEST_READ = TimeUnit.MINUTES.toNanos(1);
    private static final Backoff READS = between(Duration.ofMillis(5), Duration.ofSeconds(1));

    /** @throws IllegalArgumentException if {@code firstNanos} is less than 1, or {@code longestNanos} is shorter */
    public Backoff {
        if (firstNanos < 1 || longestNanos < firstNanos) {
            throw new IllegalArgumentException("pauses of " + firstNanos + " ns up to " + longestNanos
                    + " ns: use a first one of 1 ns or more, and a longest one that is not shorter");
        }
    }

    /**
     * Returns a back-off between two pauses.
     *
     * @throws IllegalArgumentException if {@code first} is less than 1 ns, or {@code longest} is shorter
     */
    public static Backoff between(Duration first, Duration longest) {
        return new Backoff(TimeUnit.NANOSECONDS.convert(first), TimeUnit.NANOSECONDS.convert(longest));
    }

    /**
     * Returns the pause before the next attempt, in nanoseconds.
     *
     * @param failed how many attempts failed in a row, 1 or more
     */
    public long nanos(int failed) {
        int doublings = Math.min(Math.max(failed, 1) - 1, MAX_DOUBLINGS);
        // The first pause shifted up may overflow, so the longest one is shifted down to compare.
        return firstNanos > longestNanos >> doublings ? longestNanos : firstNanos << doublings;
    }

    /**
     * Returns the pause before the next attempt, in nanoseconds, shortened at random by up to a half so that contending
     * callers spread out.
     *
     * @param failed how many attempts failed in a row, 1 or more
     */
    public long nanos(int failed, RandomGenerator random) {
        long pause = nanos(failed);
        return pause - random.nextLong(pause / 2 + 1);
    }

    /**
     * Calls a blocking read until it succeeds: up to ten times within a minute, with pauses from 5 ms to 1 s.
     *
     * @throws NotAppliedException the last failure, if every attempt failed with one
     */
    public static <T> T retrying(Supplier<T> read) {
        long start = System.nanoTime();
        for (int failed = 1; failed < READ_ATTEMPTS && System.nanoTime() - start < LONGEST_READ; failed++) {
            try {
                return read.get();
            } catch (NotAppliedException e) {
                LockSupport.parkNanos(READS.nanos(failed));
            }
        }
        return read.get();
    }
}
