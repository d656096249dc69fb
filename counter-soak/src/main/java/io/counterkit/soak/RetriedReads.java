package io.counterkit.soak;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.Backoff;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Retries the reads of the final check. */
final class RetriedReads {
    static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(5), Duration.ofSeconds(1));
    private static final int ATTEMPTS = 10;

    private RetriedReads() {}

    /**
     * Returns what {@code read} returns, after up to ten attempts.
     *
     * @throws NotAppliedException the last failure, if every attempt failed
     */
    static <T> T retry(Supplier<T> read) {
        for (int failed = 1; failed < ATTEMPTS; failed++) {
            try {
                return read.get();
            } catch (NotAppliedException e) {
                LockSupport.parkNanos(BACKOFF.nanos(failed));
            }
        }
        return read.get();
    }
}
