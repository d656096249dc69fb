package io.counterkit.benchmarks.datastore;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** One way to number records in sequence. Thread-safe. */
interface Appender {
    /** Appends a record; its number. */
    long append(Map<String, ?> fields);

    /** How often something was tried again because others were in the way. */
    LongAdder retries();
}
