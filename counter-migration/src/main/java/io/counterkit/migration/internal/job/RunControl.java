package io.counterkit.migration.internal.job;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a run of a job or a verifier is over: when its time has passed, when its stop condition is true, or when
 * its listener has thrown an exception. In that case the listener is not called again, and the run ends with its
 * exception.
 */
public final class RunControl<R> {
    private final Consumer<R> listener;
    private final BooleanSupplier stop;
    private @Nullable Throwable failure;
    private long end;

    public RunControl(Consumer<R> listener, BooleanSupplier stop) {
        this.listener = listener;
        this.stop = stop;
    }

    /** Starts a run of about this time. */
    public void start(Duration time) {
        failure = null;
        end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(time);
    }

    /** Returns the time that remains in nanoseconds; 0 or less if the run is over. */
    public long nanosLeft() {
        return failure != null || stop.getAsBoolean() ? 0 : end - System.nanoTime();
    }

    /** Returns whether nothing more may start. */
    public boolean isOver() {
        return nanosLeft() <= 0;
    }

    /** Passes a report to the listener, unless it has thrown an exception in this run. */
    public void report(R report) {
        if (failure == null) {
            try {
                listener.accept(report);
            } catch (RuntimeException | Error e) { // an Error too, such as an assertion of a test
                failure = e;
            }
        }
    }

    /** Throws the exception of the listener if it has thrown one in this run. */
    public void rethrow() {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
