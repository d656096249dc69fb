package io.counterkit.firestore.internal.token;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.Call;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * How long tokens are remembered, compared with how long a change may be sent: one whose token is forgotten meanwhile
 * could be applied twice.
 */
public final class TokenRetention {
    /**
     * How much longer a token is stored than it is promised, and by how much the retention exceeds a deadline: as long as
     * Firestore's client repeats a commit by itself, also after the deadline of its caller.
     */
    public static final Duration MARGIN = Duration.ofMinutes(10);

    private TokenRetention() {}

    /**
     * Does nothing if tokens are remembered for longer than a deadline.
     *
     * @throws IllegalArgumentException otherwise
     */
    public static void checkDeadline(Duration retention, Duration deadline) {
        if (isTooLong(deadline, retention)) {
            throw new IllegalArgumentException("deadline of " + inWords(deadline) + wayOut(retention));
        }
    }

    /** Makes a change, or fails with {@link NotAppliedException} if it may be sent for too long. */
    public static <T> CompletableFuture<T> bounded(
            String change, Duration retention, Call call, Supplier<CompletableFuture<T>> then) {
        Duration time = call.remaining();
        return isTooLong(time, retention)
                ? CompletableFuture.failedFuture(new NotAppliedException(
                        change + " with a deadline of " + inWords(time) + wayOut(retention) + "; nothing was applied"))
                : then.get();
    }

    private static boolean isTooLong(Duration time, Duration retention) {
        return time.compareTo(retention.minus(MARGIN)) > 0;
    }

    private static String wayOut(Duration retention) {
        return ", but tokens are remembered for " + inWords(retention) + " only: use a deadline of at most "
                + inWords(retention.minus(MARGIN)) + ", or a longer retention";
    }

    /** Rounded up, so that what is too long never looks as if it were not. */
    private static String inWords(Duration duration) {
        long seconds = duration.plusSeconds(1).minusNanos(1).toSeconds();
        if (seconds < 120) {
            return seconds + " seconds";
        }
        long minutes = (seconds + 59) / 60;
        return minutes < 120 ? minutes + " minutes" : (minutes + 59) / 60 + " hours";
    }
}
