package io.counterkit.internal.request;

import io.counterkit.CounterException;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.internal.batch.Failures;
import io.counterkit.spi.Result;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/** Converts the backend's results of reading many counters. */
public final class BatchReadings {
    private BatchReadings() {}

    /**
     * Returns the readings by name.
     *
     * @param onRead is called for each counter that was read
     * @throws CounterException if no counter was read: the failure of the first one, with the others suppressed
     */
    public static Readings of(List<String> names, List<Result<Reading>> results, BiConsumer<String, Reading> onRead) {
        checkSize(names, results);
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
            throw merged(failures.values());
        }
        read.forEach(onRead);
        return new Readings(read, failures);
    }

    /** Checks that there is one result for each name. */
    static void checkSize(List<String> names, List<?> results) {
        IllegalStateException failure = Failures.ofResults(BackendInvoker.answer(results), names.size(), "names");
        if (failure != null) {
            throw failure;
        }
    }

    private static CounterException merged(Iterable<CounterException> failures) {
        CounterException first = failures.iterator().next();
        Set<CounterException> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.add(first);
        failures.forEach(failure -> {
            if (seen.add(failure)) { // several counters may share one failure
                first.addSuppressed(failure);
            }
        });
        return first;
    }
}
