package io.counterkit.tck.internal.history;

import io.counterkit.CounterException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Repeats calls after the faults of a history have ended. */
final class Patience {
    private static final int ATTEMPTS = 200;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

    private Patience() {}

    /** Returns what a call answers, which may be too slow for its deadline at first. */
    static <T> T answerOf(Supplier<T> call) {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.get();
            } catch (CounterException e) {
                if (attempt == ATTEMPTS) {
                    throw new AssertionError(
                            "a call failed " + ATTEMPTS + " times in a row after all faults had ended", e);
                }
                LockSupport.parkNanos(PAUSE);
            }
        }
    }
}
