package io.counterkit.cli.backend;

import io.counterkit.RampUpLimiter;
import io.counterkit.cli.console.Console;
import io.counterkit.spi.CounterBackend;
import org.jspecify.annotations.Nullable;

/**
 * A backend that is ready for use. Closing it frees what was made for it; the backend itself is closed before that, by
 * the {@link io.counterkit.Counters} over it.
 *
 * @param name what the user calls it
 * @param backend the backend
 * @param faults disturbs the way to its store; null where that cannot be done
 * @param describer tells what only this backend knows; null where there is nothing
 * @param resharder changes what only this backend has; null where counters have no shards
 * @param ramp what its store asks of bulk work; null where it asks for nothing
 * @param held what to free at the end; null where there is nothing
 * @param notice what the user has to know of the store; null where there is nothing
 */
public record OpenBackend(
        String name,
        CounterBackend backend,
        @Nullable FaultSource faults,
        @Nullable Describer describer,
        @Nullable Resharder resharder,
        @Nullable RampUpLimiter ramp,
        @Nullable HeldResources held,
        @Nullable Notice notice)
        implements AutoCloseable {
    /** Says what the user has to know of the store. */
    public void tell(Console console) {
        if (notice != null) {
            console.err().println("counter: " + notice.text());
        }
    }

    @Override
    public void close() {
        if (held != null) {
            held.close();
        }
    }
}
