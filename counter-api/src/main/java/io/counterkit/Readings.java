package io.counterkit;

import io.counterkit.spi.Result;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The totals of many counters that were read together. Each was right at a moment of its own; a counter that could not
 * be read does not spoil the others. There is one that could be read, unless no counter was asked for. Immutable.
 */
public final class Readings {
    private final Map<String, Reading> read;
    private final Map<String, CounterException> failures;

    Readings(Map<String, Reading> read, Map<String, CounterException> failures) {
        this.read = Collections.unmodifiableMap(read);
        this.failures = Collections.unmodifiableMap(failures);
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

    /**
     * Returns these readings if one of the counters could be read, or none was asked for.
     *
     * @throws CounterException the failure of the first counter, with those of the others suppressed
     */
    public Readings orThrowIfNoneWasRead() {
        if (!read.isEmpty() || failures.isEmpty()) {
            return this;
        }
        Set<CounterException> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        CounterException first = failures.values().iterator().next();
        distinct.add(first);
        failures.values().stream().filter(distinct::add).forEach(first::addSuppressed);
        throw first;
    }

    public void forEach(BiConsumer<String, Reading> consumer) {
        read.forEach(consumer);
    }

    /** Puts the results of a batch read back together with the names that were asked for. */
    public static Readings of(List<String> names, List<Result<Reading>> results) {
        Map<String, Reading> read = new LinkedHashMap<>();
        Map<String, CounterException> failures = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            Result<Reading> result = results.get(i);
            if (result.failure() != null) {
                failures.put(names.get(i), result.failure());
            } else {
                read.put(names.get(i), Objects.requireNonNull(result.value()));
            }
        }
        return new Readings(read, failures);
    }
}
