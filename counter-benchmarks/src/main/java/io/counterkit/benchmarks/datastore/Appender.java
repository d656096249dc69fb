package io.counterkit.benchmarks.datastore;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** One way to number records in sequence. Thread-safe. */
interface Appender {
    /** Appends a record; its number, or 0 if the time was over before it had one. */
    long append(Map<String, ?> fields, BooleanSupplier isOver);

    /** How often something was tried again because others were in the way. */
    LongAdder retries();
}
