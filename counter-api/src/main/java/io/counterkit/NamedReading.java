package io.counterkit;

import java.util.Objects;

/**
 * The reading of a counter with the counter's name.
 *
 * @param name the counter's name
 * @param reading the counter's total
 */
public record NamedReading(String name, Reading reading) {
    public NamedReading {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(reading, "reading");
    }
}
