package io.counterkit.verification.broken.flaw;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A gap between two steps that should be one. Waits briefly, so that other callers act in it. */
public final class Gap {
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(20);

    private final AtomicLong passed = new AtomicLong();

    /** Passes the gap and returns how many callers have passed. */
    public long pass() {
        return passed.incrementAndGet();
    }

    /** Waits briefly until {@code others} more callers have passed. */
    public void await(int others) {
        long last = passed.get() + others;
        await(() -> passed.get() >= last);
    }

    /** Passes, and waits briefly until another caller has passed. */
    public void meet() {
        long mine = pass();
        await(() -> passed.get() > mine);
    }

    /** Waits until the condition is true, at most 20 ms. */
    public static void await(BooleanSupplier come) {
        long start = System.nanoTime();
        while (!come.getAsBoolean() && System.nanoTime() - start < LONGEST) {
            LockSupport.parkNanos(10_000);
        }
    }
}
