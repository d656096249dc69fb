package io.counterkit.spi;

import io.counterkit.CountersListener;
import java.time.Duration;
import java.util.Collection;

/**
 * One call on its way to the store: the time it has, and where to report what happens to it on the way. The API layer
 * ends a caller's wait by itself; a backend stops trying when the time is over. Thread-safe.
 */
public class Call {
    private final CountersListener listener;
    private final long timeoutNanos;
    private long deadline;
    private boolean started;

    /** Creates one that has {@code timeout} from {@link #start()} on, or from when the time left is first asked for. */
    public Call(Duration timeout, CountersListener listener) {
        this(timeout.toNanos(), listener);
    }

    /** The same with the time in nanoseconds. */
    public Call(long timeoutNanos, CountersListener listener) {
        this.timeoutNanos = timeoutNanos;
        this.listener = listener;
    }

    /** Starts the time, unless it runs already. */
    public final synchronized void start() {
        if (!started) {
            started = true;
            deadline = System.nanoTime() + timeoutNanos;
        }
    }

    /** The time left; zero or negative when it is over. */
    public final synchronized Duration remaining() {
        start();
        return Duration.ofNanos(deadline - System.nanoTime());
    }

    /** Reports that another writer was in the way of one of {@code names}. */
    public final void reportConflict(Collection<String> names) {
        names.forEach(listener::onConflict);
    }

    /** Reports that the call is sent once more because of {@code cause}. */
    public final void reportRetry(Throwable cause) {
        listener.onRetry(cause);
    }
}
