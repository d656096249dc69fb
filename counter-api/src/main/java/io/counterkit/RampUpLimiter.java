package io.counterkit;

import io.counterkit.spi.Durations;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps bulk work to a rate that rises slowly, so that a store has the time to spread new data over more machines.
 * Firestore asks for at most 500 operations a second to a new collection at first, and 50 % more every 5 minutes:
 * {@link #recommended()}.
 *
 * <p>Whoever is about to do something reserves it and waits for as long as it is told. What is reserved counts, whether
 * it is done or not. Operations that were not asked for are not saved up, but for those of the last tenth of a second,
 * so that a late wake-up does not slow the work down. Time runs from the first reservation on, and anew after a pause
 * longer than one step. Each process has a ramp of its own: divide the rate by the number of processes.
 *
 * <p>Thread-safe.
 *
 * @see <a href="https://firebase.google.com/docs/firestore/best-practices#ramping_up_traffic">Firestore best practices:
 *     Ramping up traffic</a>
 */
public final class RampUpLimiter {
    private static final long SLACK = TimeUnit.MILLISECONDS.toNanos(100);

    private final double first;
    private final double growth;
    private final long step;
    private final double most;
    private final LongSupplier nanoTime;

    /** Never closed: its threads end when nothing is due. */
    private final Timers timers = Timers.named("counterkit-ramp");

    private boolean isStarted;
    private long start;
    private long spokenFor;

    private RampUpLimiter(double first, double growth, long step, double most, LongSupplier nanoTime) {
        this.first = first;
        this.growth = growth;
        this.step = step;
        this.most = most;
        this.nanoTime = nanoTime;
    }

    /** What Firestore's best practices ask for: 500 operations a second, and 50 % more every 5 minutes. */
    public static RampUpLimiter recommended() {
        return of(500, 1.5, Duration.ofMinutes(5), System::nanoTime);
    }

    /** No limit; {@link #atMost} makes a constant rate of it. */
    public static RampUpLimiter unlimited() {
        return new RampUpLimiter(
                Double.POSITIVE_INFINITY, 1, Long.MAX_VALUE, Double.POSITIVE_INFINITY, System::nanoTime);
    }

    /**
     * Another one.
     *
     * @param perSecond operations a second at first, more than 0
     * @param growth what the rate is multiplied by after each step, at least 1
     * @param step how long a step is, more than 0
     * @param nanoTime the clock; its zero is of no account
     */
    public static RampUpLimiter of(double perSecond, double growth, Duration step, LongSupplier nanoTime) {
        if (!(perSecond > 0) || !(growth >= 1) || step.isNegative() || step.isZero()) {
            throw new IllegalArgumentException("a ramp from " + perSecond + " a second, times " + growth + " every "
                    + Durations.inWords(step) + ": use more than 0, at least 1, and more than 0");
        }
        return new RampUpLimiter(
                perSecond,
                growth,
                step.toNanos(),
                Double.POSITIVE_INFINITY,
                Objects.requireNonNull(nanoTime, "nanoTime"));
    }

    /** The same from its beginning, which never rises above this rate. */
    public RampUpLimiter atMost(double perSecond) {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("at most " + perSecond + " a second: use more than 0");
        }
        return new RampUpLimiter(first, growth, step, Math.min(most, perSecond), nanoTime);
    }

    /** How many operations a second there may be now. */
    public synchronized double perSecond() {
        return rateAt(nanoTime.getAsLong());
    }

    /** Reserves operations and returns the nanoseconds to wait before they are done; 0 for at once. Never blocks. */
    public synchronized long reserve(int operations) {
        if (operations < 0) {
            throw new IllegalArgumentException(operations + " operations: use 0 or more");
        }
        long now = nanoTime.getAsLong();
        if (!isStarted || now - spokenFor > step) {
            isStarted = true;
            start = now;
            spokenFor = now;
        }
        if (now - SLACK - spokenFor > 0) {
            spokenFor = now - SLACK;
        }
        long wait = Math.max(0, spokenFor - now);
        spokenFor += (long) (operations * 1e9 / rateAt(spokenFor));
        return wait;
    }

    /**
     * Reserves operations and blocks until they may be done.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile; they are reserved all the same
     */
    public void await(int operations) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(reserve(operations));
    }

    /**
     * Reserves operations; the future is completed when they may be done: on the caller's thread if that is at once, else
     * on a daemon thread of this ramp.
     */
    public CompletableFuture<Void> whenFree(int operations) {
        long wait = reserve(operations);
        return wait == 0 ? CompletableFuture.completedFuture(null) : timers.after(wait);
    }

    private double rateAt(long moment) {
        long steps = isStarted ? Math.max(0, moment - start) / step : 0;
        return Math.min(most, first * Math.pow(growth, (double) steps));
    }
}
