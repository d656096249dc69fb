package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.Backoff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** How often and how soon commands retry. */
public final class Retries {
    /** The most attempts. */
    public static final int ATTEMPTS = 10;

    /** The pauses between attempts. */
    public static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(5), Duration.ofSeconds(1));

    private static final long LONGEST_READ = TimeUnit.MINUTES.toNanos(1);

    private Retries() {}

    /**
     * Returns what {@code read} returns, and retries it for up to a minute.
     *
     * @throws NotAppliedException the last failure, if every attempt failed
     */
    public static <T> T reading(Supplier<T> read) {
        long start = System.nanoTime();
        for (int failed = 1; failed < ATTEMPTS && System.nanoTime() - start < LONGEST_READ; failed++) {
            try {
                return read.get();
            } catch (NotAppliedException e) {
                LockSupport.parkNanos(BACKOFF.nanos(failed));
            }
        }
        return read.get();
    }
}
