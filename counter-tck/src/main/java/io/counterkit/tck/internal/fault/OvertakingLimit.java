package io.counterkit.tck.internal.fault;

import java.util.concurrent.TimeUnit;

/** How long a task that overtakes a held one may take. After that, it is assumed to wait for the held one. */
public final class OvertakingLimit {
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(50);

    private long nanos = LONGEST;

    long nanos() {
        return nanos;
    }

    /** Adapts the limit of the next task after one that took {@code taken}. The limit falls slowly. */
    void adapt(long taken) {
        nanos = Math.min(LONGEST, Math.max(SHORTEST, Math.max(6 * taken, nanos - nanos / 4)));
    }
}
