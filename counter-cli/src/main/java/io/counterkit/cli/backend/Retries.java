package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** How often and how soon a store is asked again: at once, and then with pauses that double up to a second. */
public final class Retries {
    /** How often anything is tried in all. */
    public static final int ATTEMPTS = 10;

    /** How long a read is tried: a store that is gone for longer has to be looked after. */
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

    private Retries() {}

    /** The nanoseconds to wait after so many attempts, from 1 on. */
    public static long pauseAfter(int attempts) {
        return attempts <= 1 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(attempts - 2, 20));
    }

    /**
     * What {@code read} gives, as soon as it does.
     *
     * @throws NotAppliedException the last failure, if all failed
     */
    public static <T> T reading(Supplier<T> read) {
        long start = System.nanoTime();
        for (int attempts = 1; attempts < ATTEMPTS && System.nanoTime() - start < PATIENCE; attempts++) {
            try {
                return read.get();
            } catch (NotAppliedException e) {
                LockSupport.parkNanos(pauseAfter(attempts));
            }
        }
        return read.get();
    }
}
