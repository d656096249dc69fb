package io.counterkit.benchmarks.datastore;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Sequence;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** Appends with CounterKit. */
record CounterKitAppender(Sequence sequence, LongAdder retries) implements Appender {
    static CounterKitAppender create(CounterBackend backend, String name) {
        LongAdder retries = new LongAdder();
        CountersListener counting = new CountersListener() {
            @Override
            public void onConflict(String conflicting) {
                retries.increment();
            }

            @Override
            public void onRetry(Throwable cause) {
                retries.increment();
            }
        };
        Counters counters = Counters.over(
                backend,
                CountersOptions.builder()
                        .listener(counting)
                        .deadline(Duration.ofMinutes(1))
                        .build());
        return new CounterKitAppender(counters.sequence(name), retries);
    }

    @Override
    public long append(Map<String, ?> fields, BooleanSupplier isOver) {
        return sequence.append(fields).number();
    }
}
