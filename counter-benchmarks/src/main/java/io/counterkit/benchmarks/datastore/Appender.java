package io.counterkit.benchmarks.datastore;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** An algorithm that numbers records in sequence. Thread-safe. */
interface Appender {
    /** Appends a record and returns its number, or 0 if the time was over first. */
    long append(Map<String, ?> fields, BooleanSupplier isOver);

    /** Returns how many attempts failed because of contention. */
    LongAdder retries();
}
