package io.counterkit.migration.internal.job;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who listens, until that throws: then it hears nothing more, and the work is to end with what it threw. */
public final class ListenerGuard<R> {
    private final Consumer<? super R> listener;
    private @Nullable RuntimeException thrown;
    private @Nullable Error error;

    public ListenerGuard(Consumer<? super R> listener) {
        this.listener = listener;
    }

    public void tell(R report) {
        if (isToGoOn()) {
            try {
                listener.accept(report);
            } catch (RuntimeException e) {
                thrown = e;
            } catch (Error e) { // an assertion of a test, for instance
                error = e;
            }
        }
    }

    public boolean isToGoOn() {
        return thrown == null && error == null;
    }

    /** Throws what the listener threw, if it did. */
    public void check() {
        if (thrown != null) {
            throw thrown;
        }
        if (error != null) {
            throw error;
        }
    }
}
