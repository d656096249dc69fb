package io.counterkit.benchmarks.datastore;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Sequence;
import io.counterkit.benchmarks.Statistics;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** Measures how the time and the calls of an append, and of a cold start, grow with the number of entries. */
public final class GrowingSequence {
    private static final int TIMES = 15;

    private GrowingSequence() {}

    /** Measures and prints a line for each size; {@code GrowingSequence [sizes]}. */
    public static void main(String[] args) {
        long[] sizes = args.length == 0
                ? new long[] {100, 1_000, 10_000, 100_000}
                : Arrays.stream(args).mapToLong(Long::parseLong).toArray();
        try (StubDatastore store = StubDatastore.open(Map.of(), 0)) {
            Sequence sequence = connect();
            long entries = 0;
            for (long size : sizes) {
                fill(size - entries);
                entries = sequence.next();
                System.out.printf("%,9d entries:", entries);
                print(store, "append", sequence::next);
                print(store, "cold", () -> connect().last());
                System.out.println();
                entries = sequence.last();
            }
        }
    }

    /** Appends the most entries that fit into one transaction at a time. */
    private static void fill(long entries) {
        SequenceStore store = DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults())
                .sequences();
        AppendRequest request = new AppendRequest(Change.ADDED, null, Map.of(), null);
        int most = store.limits().maxWeight() / store.weight(request);
        for (long left = entries; left > 0; left -= most) {
            Commit commit = new Commit(Duration.ofSeconds(20), new Random(), CountersListener.disabled());
            CompletableFuture<?> unused =
                    store.append("s", Collections.nCopies((int) Math.min(most, left), request), commit);
        }
    }

    private static Sequence connect() {
        return Counters.over(DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults()))
                .sequence("s");
    }

    private static void print(StubDatastore store, String what, Runnable operation) {
        long[] nanos = new long[TIMES];
        LongAdder calls = store.calls().count();
        calls.reset();
        for (int i = 0; i < TIMES; i++) {
            long start = System.nanoTime();
            operation.run();
            nanos[i] = System.nanoTime() - start;
        }
        System.out.printf(
                "  %s %.1f calls, %.1f ms;",
                what, calls.sum() / (double) TIMES, Statistics.ofNanos(nanos).median());
    }
}
