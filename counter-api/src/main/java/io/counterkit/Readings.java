package io.counterkit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The totals of many counters that were read together. Each was right at a moment of its own; a counter that could not
 * be read does not spoil the others. There is one that could be read, unless no counter was asked for. Immutable.
 */
public final class Readings {
    private final Map<String, Reading> read;
    private final Map<String, CounterException> failures;

    /**
     * Creates the result of reading counters. Both maps are copied.
     *
     * @param read the readings by name, in the order in which they were asked for
     * @param failures why the others could not be read, by name
     */
    public Readings(Map<String, Reading> read, Map<String, CounterException> failures) {
        this.read = Collections.unmodifiableMap(new LinkedHashMap<>(read));
        this.failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /**
     * The total of one of the counters that were asked for.
     *
     * @throws CorruptDataException if the store holds something else than a counter under this name
     * @throws CounterOverflowException if the total is outside ±2<sup>62</sup>
     * @throws NotAppliedException if this counter could not be read
     * @throws IllegalArgumentException if {@code name} was not among the names that were asked for
     */
    public Reading get(String name) {
        Reading reading = read.get(name);
        if (reading != null) {
            return reading;
        }
        CounterException failure = failures.get(name);
        if (failure != null) {
            throw failure;
        }
        throw new IllegalArgumentException(
                "'" + name + "' was not among the " + (read.size() + failures.size()) + " counters that were read");
    }

    /** The totals that could be read, by name, in the order in which they were asked for. */
    public Map<String, Long> values() {
        Map<String, Long> values = new LinkedHashMap<>();
        read.forEach((name, reading) -> values.put(name, reading.value()));
        return values;
    }

    /** Why the others could not be read, by name; empty when all were. */
    public Map<String, CounterException> failures() {
        return failures;
    }
}
