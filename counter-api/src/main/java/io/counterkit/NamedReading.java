package io.counterkit;

import java.util.Objects;

/**
 * A counter's name with its reading, as a list of the largest counters has them.
 *
 * @param name the name of the counter
 * @param reading its total
 */
public record NamedReading(String name, Reading reading) {
    public NamedReading {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(reading, "reading");
    }
}
