package io.counterkit.migration.internal.job;

import io.counterkit.RampUpLimiter;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Limits the rate of writes to the target. Requests are served in order, and none reserves time after the end of the
 * run.
 */
public final class MoveThrottle {
    private final RampUpLimiter ramp;
    private final CallerLoop loop;
    private final LongSupplier nanosLeft;
    private CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);

    /** @param nanosLeft the time left in the run; 0 or less when nothing more may start */
    public MoveThrottle(RampUpLimiter ramp, CallerLoop loop, LongSupplier nanosLeft) {
        this.ramp = ramp;
        this.loop = loop;
        this.nanosLeft = nanosLeft;
    }

    /** Returns whether nothing more may start. */
    boolean isOver() {
        return nanosLeft.getAsLong() <= 0;
    }

    /** Waits until this many operations may start. Returns false if the time of the run ends first. */
    public CompletableFuture<Boolean> acquire(int operations) {
        last = last.thenComposeAsync(unused -> acquireNext(operations), loop);
        return last;
    }

    private CompletableFuture<Boolean> acquireNext(int operations) {
        if (isOver()) {
            return CompletableFuture.completedFuture(false);
        }
        long wait = ramp.tryReserve(operations, nanosLeft.getAsLong());
        if (wait <= 0) {
            return CompletableFuture.completedFuture(wait == 0);
        }
        return loop.pause(wait).thenApply(over -> true);
    }
}
