package io.counterkit;

import io.counterkit.spi.Durations;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits bulk work to a rate that rises slowly, so that a store has time to spread new data over more machines.
 * Firestore asks for at most 500 operations per second at first in a new collection, and 50 % more every 5 minutes:
 * {@link #recommended()}.
 *
 * <p>Reserve operations, and wait for as long as the reservation says. Reserved operations count whether or not they
 * are done. Unused capacity expires after 100 ms, so a late wake-up costs no throughput. The ramp starts with the first
 * reservation, and restarts after a pause longer than one step. Each process has its own ramp: divide the rate by the
 * number of processes. Thread-safe.
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

    /** Never closed: the threads end when nothing is due. */
    private final Timers timers = Timers.named("counterkit-ramp");

    private boolean isStarted;
    private long start;
    private long reservedUntil;

    private RampUpLimiter(double first, double growth, long step, double most, LongSupplier nanoTime) {
        this.first = first;
        this.growth = growth;
        this.step = step;
        this.most = most;
        this.nanoTime = nanoTime;
    }

    /** Returns the ramp of Firestore's best practices: 500 operations per second, and 50 % more every 5 minutes. */
    public static RampUpLimiter recommended() {
        return of(500, 1.5, Duration.ofMinutes(5), System::nanoTime);
    }

    /** Returns a limiter without a limit. {@link #atMost} gives it a constant rate. */
    public static RampUpLimiter unlimited() {
        return new RampUpLimiter(
                Double.POSITIVE_INFINITY, 1, Long.MAX_VALUE, Double.POSITIVE_INFINITY, System::nanoTime);
    }

    /**
     * Returns a limiter with another ramp.
     *
     * @param perSecond the first rate, in operations per second, more than 0
     * @param growth the factor of the rate after each step, at least 1
     * @param step the duration of a step, more than 0
     * @param nanoTime the clock, in nanoseconds from an arbitrary origin
     * @throws IllegalArgumentException if the rate, the factor or the step is out of range
     */
    public static RampUpLimiter of(double perSecond, double growth, Duration step, LongSupplier nanoTime) {
        if (!(perSecond > 0) || !(growth >= 1) || step.isNegative() || step.isZero()) {
            throw new IllegalArgumentException(
                    "a ramp from " + perSecond + " a second, times " + growth + " every " + Durations.inWords(step)
                            + ": use a rate above 0, a factor of 1 or more, and a step longer than 0");
        }
        return new RampUpLimiter(
                perSecond,
                growth,
                TimeUnit.NANOSECONDS.convert(step),
                Double.POSITIVE_INFINITY,
                Objects.requireNonNull(nanoTime, "nanoTime"));
    }

    /**
     * Returns a limiter with the same ramp, from its start, and this maximum rate.
     *
     * @param perSecond the largest rate, in operations per second, more than 0
     * @throws IllegalArgumentException if {@code perSecond} is not more than 0
     */
    public RampUpLimiter atMost(double perSecond) {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("at most " + perSecond + " a second: use more than 0");
        }
        return new RampUpLimiter(first, growth, step, Math.min(most, perSecond), nanoTime);
    }

    /** Returns the current rate, in operations per second. */
    public synchronized double perSecond() {
        return rateAt(nanoTime.getAsLong());
    }

    /**
     * Reserves operations and returns the nanoseconds to wait before doing them. Does not block.
     *
     * @throws IllegalArgumentException if {@code operations} is negative
     */
    public long reserve(int operations) {
        return tryReserve(operations, Long.MAX_VALUE);
    }

    /**
     * Reserves operations as {@link #reserve} does, unless they would have to wait longer than {@code mostNanos}. Does
     * not block.
     *
     * @param mostNanos the longest wait, in nanoseconds
     * @return the nanoseconds to wait, or -1 if the wait would be longer and nothing was reserved
     * @throws IllegalArgumentException if {@code operations} is negative
     */
    public synchronized long tryReserve(int operations, long mostNanos) {
        if (operations < 0) {
            throw new IllegalArgumentException(operations + " operations: use 0 or more");
        }
        long now = nanoTime.getAsLong();
        if (!isStarted || now - reservedUntil > step) {
            isStarted = true;
            start = now;
            reservedUntil = now;
        }
        if (now - SLACK - reservedUntil > 0) {
            reservedUntil = now - SLACK;
        }
        long wait = Math.max(0, reservedUntil - now);
        if (wait > mostNanos) {
            return -1;
        }
        reservedUntil += (long) (operations * 1e9 / rateAt(reservedUntil));
        return wait;
    }

    /**
     * Reserves operations and blocks until they may be done.
     *
     * @throws IllegalArgumentException if {@code operations} is negative
     * @throws InterruptedException if the thread is interrupted; the operations stay reserved
     */
    public void await(int operations) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(reserve(operations));
    }

    /**
     * Reserves operations and returns a future that completes when they may be done: immediately, or on a daemon thread
     * of this limiter.
     *
     * @throws IllegalArgumentException if {@code operations} is negative
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
