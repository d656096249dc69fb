package io.counterkit.internal.request;

import io.counterkit.CounterException;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.spi.Result;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/** Turns the results of reading many counters into what the caller gets. */
public final class BatchReadings {
    private BatchReadings() {}

    /**
     * Returns the readings by the names that were asked for.
     *
     * @param onRead is called for each counter that could be read
     * @throws CounterException if not one could be read: the failure of the first, with those of the others suppressed
     */
    public static Readings of(List<String> names, List<Result<Reading>> results, BiConsumer<String, Reading> onRead) {
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
        if (read.isEmpty() && !failures.isEmpty()) {
            throw all(failures.values());
        }
        read.forEach(onRead);
        return new Readings(read, failures);
    }

    private static CounterException all(Collection<CounterException> failures) {
        Set<CounterException> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        CounterException first = failures.iterator().next();
        distinct.add(first);
        failures.stream().filter(distinct::add).forEach(first::addSuppressed);
        return first;
    }
}
