package io.counterkit.cli.single;

import io.counterkit.cli.console.Arguments;
import io.counterkit.cli.console.Interrupt;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The waits of a command that runs until the user interrupts it, or its time is over. */
final class Waiting {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Interrupt interrupt;
    private final @Nullable Duration length;
    private final long start = System.nanoTime();

    /**
     * Creates a wait that starts now.
     *
     * @param length the longest time in all; null for no end
     */
    Waiting(Interrupt interrupt, @Nullable Duration length) {
        this.interrupt = interrupt;
        this.length = length;
    }

    static void checkLength(@Nullable Duration length) {
        Arguments.check(length == null || !length.isZero(), "--for 0 ms: use 1 ms or more");
    }

    /** Waits until {@code isReached}. Returns false if the user interrupts, or the time is over, before that. */
    boolean await(BooleanSupplier isReached) {
        while (!isOver()) {
            if (isReached.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(TICK_NANOS); // the interrupt of the user is polled
        }
        return false;
    }

    /** Waits for the next turn. Returns false if there is no next turn. */
    boolean awaitTurn(Duration every) {
        long from = System.nanoTime();
        return await(() -> System.nanoTime() - from >= every.toNanos());
    }

    private boolean isOver() {
        return interrupt.isRequested()
                || Thread.currentThread().isInterrupted()
                || (length != null && System.nanoTime() - start >= TimeUnit.NANOSECONDS.convert(length));
    }
}
