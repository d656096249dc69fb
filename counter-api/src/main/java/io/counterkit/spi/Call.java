package io.counterkit.spi;

import io.counterkit.CountersListener;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * One call to the store: knows how much time remains, and receives reports of conflicts and retries. The API layer ends
 * the wait of its caller at the deadline; a backend must stop retrying when no time remains. Thread-safe.
 */
public class Call {
    /** No retry starts within this time before the deadline, or within this part of a shorter call. */
    private static final Duration WITHOUT_RETRY = Duration.ofMillis(50);

    private static final int PART_WITHOUT_RETRY = 10;

    private final CountersListener listener;
    private final Duration timeout;
    private long deadline;
    private boolean started;
    private volatile @Nullable Throwable lastFailure;

    /**
     * Creates a call.
     *
     * @param timeout the time that the call may take, from {@link #start()} or the first {@link #remaining()},
     *     whichever is earlier
     */
    public Call(Duration timeout, CountersListener listener) {
        this.timeout = timeout;
        this.listener = listener;
    }

    /** Starts the time, unless it has started. */
    public final synchronized void start() {
        if (!started) {
            started = true;
            deadline = System.nanoTime() + timeout.toNanos();
        }
    }

    /** Returns the time that remains; zero or negative after the deadline. */
    public final synchronized Duration remaining() {
        start();
        return Duration.ofNanos(deadline - System.nanoTime());
    }

    /**
     * Returns the time that remains in which another attempt may start; zero or negative after that time. No retry
     * should start in the last 50 ms before the deadline, or in the last tenth of a shorter call. Otherwise the
     * deadline passes during the retry, and the outcome is unknown although the previous attempt was not applied.
     */
    public final Duration remainingForRetry() {
        Duration part = timeout.dividedBy(PART_WITHOUT_RETRY);
        return remaining().minus(part.compareTo(WITHOUT_RETRY) < 0 ? part : WITHOUT_RETRY);
    }

    /** Reports that another writer changed one of {@code names} at the same time. */
    public final void reportConflict(Collection<String> names) {
        names.forEach(listener::onConflict);
    }

    /** Reports that the call is sent again because of {@code cause}. */
    public final void reportRetry(Throwable cause) {
        lastFailure = cause;
        listener.onRetry(cause);
    }

    /** Returns the cause of the last retry; null if the call was not retried. */
    public final @Nullable Throwable lastFailure() {
        return lastFailure;
    }
}
