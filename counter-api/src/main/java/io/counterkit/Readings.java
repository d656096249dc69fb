package io.counterkit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The totals of many counters that were read together, but not at one moment. A counter that cannot be read does not
 * affect the others. Immutable.
 */
public final class Readings {
    private final Map<String, Reading> read;
    private final Map<String, CounterException> failures;

    /**
     * Creates readings from copies of both maps.
     *
     * @param read the readings by name, in the order of the request
     * @param failures the failures of the other counters by name
     */
    public Readings(Map<String, Reading> read, Map<String, CounterException> failures) {
        this.read = Collections.unmodifiableMap(new LinkedHashMap<>(read));
        this.failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /**
     * Returns the reading of a counter.
     *
     * @throws CorruptDataException if the stored data is not a counter
     * @throws CounterOverflowException if the total is outside ±2<sup>62</sup>
     * @throws NotAppliedException if the counter could not be read
     * @throws IllegalArgumentException if {@code name} was not requested
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

    /** Returns the totals of the counters that could be read, by name, in the order of the request. */
    public Map<String, Long> values() {
        Map<String, Long> values = new LinkedHashMap<>();
        read.forEach((name, reading) -> values.put(name, reading.value()));
        return values;
    }

    /** Returns the failures of the counters that could not be read, by name. */
    public Map<String, CounterException> failures() {
        return failures;
    }

    /** Returns the totals and the failures by name, for logs. The format may change. */
    @Override
    public String toString() {
        return failures.isEmpty() ? values().toString() : values() + ", not read: " + failures;
    }
}
