package io.counterkit.benchmarks;

import io.counterkit.AsyncCounter;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.BatchLimits;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Measures the memory of idle counters, and of adds that wait for a store that does not answer, their futures included:
 * the heap after a garbage collection, with and without them.
 *
 * <pre>{@code
 * java -Xmx2g -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.MemoryUse
 * }</pre>
 */
public final class MemoryUse {
    private static final int COUNTERS = 1_000_000;
    private static final int ADDS = 100_000;

    private MemoryUse() {}

    /** Measures and prints. */
    public static void main(String[] args) {
        measureIdleCounters();
        System.out.printf("bytes for each of %,d adds in flight:%n", ADDS);
        measureAdds("without a token", counter -> counter.add(1));
        measureAdds("with a random token", counter -> counter.add(1, IdempotencyToken.random()));
    }

    private static void measureIdleCounters() {
        try (Counters counters = Counters.over(InMemoryBackend.create())) {
            String[] names = new String[COUNTERS];
            double name = bytesFor(COUNTERS, () -> Arrays.setAll(names, Names::of));
            Counter[] handles = new Counter[COUNTERS];
            double handle = bytesFor(COUNTERS, () -> Arrays.setAll(handles, i -> counters.counter(names[i])));
            double present = bytesFor(COUNTERS, () -> {
                for (Counter counter : handles) {
                    counter.add(1);
                }
            });
            double order = bytesFor(COUNTERS, () -> counters.counterNames("", null, 1));
            System.out.printf("bytes for each of %,d counters, names of %d characters:%n", COUNTERS, Names.LENGTH);
            System.out.printf("%7.1f  a counter in the store, with its name%n", present + name);
            System.out.printf("%7.1f  of these its name%n", name);
            System.out.printf("%7.1f  a handle (Counter) that shares the name%n", handle);
            System.out.printf("%7.1f  the order of the names, after they were listed%n", order);
        }
    }

    private static void measureAdds(String what, Function<AsyncCounter, CompletableFuture<?>> add) {
        InMemoryStore store = InMemoryStore.create(InMemoryOptions.builder()
                .batches(BatchLimits.ofWeight(100).withInFlight(4))
                .build());
        CountersOptions options = CountersOptions.builder()
                .queueLimit(ADDS)
                .queueBytes(1 << 30)
                .deadline(Duration.ofMinutes(5))
                .build();
        try (Counters counters = Counters.over(InMemoryBackend.over(store), options)) {
            AsyncCounter counter = counters.counter("hot").async();
            counter.add(1).join();
            store.faults().inject(Fault.HOLD, Calls.all());
            CompletableFuture<?>[] adds = new CompletableFuture<?>[ADDS];
            double bytes = bytesFor(ADDS, () -> Arrays.setAll(adds, i -> add.apply(counter)));
            System.out.printf("%7.0f  %s%n", bytes, what);
            store.faults().clear();
            CompletableFuture.allOf(adds).join();
        }
    }

    private static double bytesFor(int count, Runnable allocation) {
        long before = usedHeap();
        allocation.run();
        return (usedHeap() - before) / (double) count;
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
