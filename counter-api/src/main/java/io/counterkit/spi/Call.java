package io.counterkit.spi;

import io.counterkit.CountersListener;
import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * One call to the store: the time it has, and where to report conflicts and retries. The API layer ends a caller's wait
 * by itself; a backend stops retrying when no time remains. Thread-safe.
 */
public class Call {
    private final CountersListener listener;
    private final Duration timeout;
    private long deadline;
    private boolean started;
    private volatile @Nullable Throwable lastFailure;

    /**
     * Creates a call.
     *
     * @param timeout the time from {@link #start()} on, or else from the first {@link #remaining()} on
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

    /** Reports that another writer changed one of {@code names} at the same time. */
    public final void reportConflict(Collection<String> names) {
        names.forEach(listener::onConflict);
    }

    /** Reports that the call is sent again because of {@code cause}. */
    public final void reportRetry(Throwable cause) {
        lastFailure = cause;
        listener.onRetry(cause);
    }

    /** Returns why the call was sent again the last time; null if it was not. */
    public final @Nullable Throwable lastFailure() {
        return lastFailure;
    }
}
