package io.counterkit;

import java.util.Objects;

/**
 * The name of a counter and a reading of its total.
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
