package io.counterkit.migration.internal.job;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Guards a listener: after its first exception it is not called again, and the work ends with that exception. */
public final class ListenerGuard<R> {
    private final Consumer<R> listener;
    private @Nullable Throwable failure;

    public ListenerGuard(Consumer<R> listener) {
        this.listener = listener;
    }

    /** Passes a report to the listener, unless it has failed. */
    public void accept(R report) {
        if (failure == null) {
            try {
                listener.accept(report);
            } catch (RuntimeException | Error e) { // an Error too, such as an assertion of a test
                failure = e;
            }
        }
    }

    public boolean hasFailed() {
        return failure != null;
    }

    /** Throws the exception of the listener if it has failed. */
    public void rethrow() {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
