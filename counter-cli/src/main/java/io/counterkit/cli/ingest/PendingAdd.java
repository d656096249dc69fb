package io.counterkit.cli.ingest;

import io.counterkit.IdempotencyToken;
import org.jspecify.annotations.Nullable;

/** An add whose outcome is open. Used by one thread. */
final class PendingAdd {
    final Tally tally;
    final long delta;
    int attempts = 1;

    /** When it may be sent again, on the scale of {@link System#nanoTime()}. */
    long due;

    /** What decides about an earlier attempt that may have been applied; null while there was none. */
    @Nullable IdempotencyToken token;

    /** Why the last attempt failed. */
    String why = "";

    /** Whether it is not sent any more, and the store is asked what became of it. */
    boolean resolving;

    PendingAdd(Tally tally, long delta) {
        this.tally = tally;
        this.delta = delta;
    }
}
