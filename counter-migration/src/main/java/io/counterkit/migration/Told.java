package io.counterkit.migration;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who listens, until that throws: then it hears nothing more, and the work is to end with what it threw. */
final class Told<R> {
    private final Consumer<? super R> listener;
    private @Nullable RuntimeException thrown;
    private @Nullable Error error;

    Told(Consumer<? super R> listener) {
        this.listener = listener;
    }

    void tell(R report) {
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

    boolean isToGoOn() {
        return thrown == null && error == null;
    }

    /** Throws what the listener threw, if it did. */
    void check() {
        if (thrown != null) {
            throw thrown;
        }
        if (error != null) {
            throw error;
        }
    }
}
