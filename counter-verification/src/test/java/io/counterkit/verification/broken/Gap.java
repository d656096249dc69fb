package io.counterkit.verification.broken;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The time between two steps that ought to be one: others get in between, if there are any. */
final class Gap {
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(20);

    private final AtomicLong passed = new AtomicLong();

    /** Lets those know who wait, and tells how many have passed. */
    long pass() {
        return passed.incrementAndGet();
    }

    /** Waits until {@code others} have passed. */
    void await(int others) {
        long last = passed.get() + others;
        await(() -> passed.get() >= last);
    }

    /** Passes, and waits until one more has. */
    void meet() {
        long mine = pass();
        await(() -> passed.get() > mine);
    }

    /** Waits, but not for long: others need not come. */
    static void await(BooleanSupplier come) {
        long start = System.nanoTime();
        while (!come.getAsBoolean() && System.nanoTime() - start < LONGEST) {
            LockSupport.parkNanos(10_000);
        }
    }
}
