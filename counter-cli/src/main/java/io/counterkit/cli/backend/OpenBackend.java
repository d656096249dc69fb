package io.counterkit.cli.backend;

import io.counterkit.spi.CounterBackend;
import org.jspecify.annotations.Nullable;

/**
 * A backend that is ready for use.
 *
 * @param name what the user calls it
 * @param backend the backend
 * @param faults disturbs the way to its store; null where that cannot be done
 */
public record OpenBackend(
        String name, CounterBackend backend, @Nullable FaultSource faults) {}
