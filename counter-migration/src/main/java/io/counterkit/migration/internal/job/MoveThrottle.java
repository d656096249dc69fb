package io.counterkit.migration.internal.job;

import io.counterkit.RampUpLimiter;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Gives out the turns of a ramp one after another, each only when it can be taken before the time is over: so little is
 * reserved in vain.
 */
public final class MoveThrottle {
    private final RampUpLimiter ramp;
    private final CallerLoop loop;
    private final LongSupplier nanosLeft;
    private CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);

    /** @param nanosLeft how long there is time; 0 or less when nothing more is to begin */
    public MoveThrottle(RampUpLimiter ramp, CallerLoop loop, LongSupplier nanosLeft) {
        this.ramp = ramp;
        this.loop = loop;
        this.nanosLeft = nanosLeft;
    }

    /** Waits for the turn of so many operations; tells whether it came, or the time was over before. */
    public CompletableFuture<Boolean> turn(int operations) {
        last = last.thenComposeAsync(hadTime -> next(operations), loop);
        return last;
    }

    private CompletableFuture<Boolean> next(int operations) {
        if (nanosLeft.getAsLong() <= 0) {
            return CompletableFuture.completedFuture(false);
        }
        long wait = ramp.reserve(operations);
        if (wait == 0 || wait > nanosLeft.getAsLong()) {
            return CompletableFuture.completedFuture(wait == 0);
        }
        return loop.pause(wait).thenApply(over -> true);
    }
}
