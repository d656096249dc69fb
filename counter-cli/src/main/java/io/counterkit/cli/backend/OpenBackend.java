package io.counterkit.cli.backend;

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
 * @param held what to free at the end; null where there is nothing
 */
public record OpenBackend(
        String name,
        CounterBackend backend,
        @Nullable FaultSource faults,
        @Nullable Describer describer,
        @Nullable Resharder resharder,
        @Nullable HeldResources held)
        implements AutoCloseable {
    @Override
    public void close() {
        if (held != null) {
            held.close();
        }
    }
}
