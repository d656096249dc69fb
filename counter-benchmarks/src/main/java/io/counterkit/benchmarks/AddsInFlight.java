package io.counterkit.benchmarks;

import io.counterkit.AsyncCounter;
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
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * Weighs adds that wait for a store that does not answer, their futures included, by what the heap holds after a garbage
 * collection with and without them:
 *
 * <pre>{@code
 * java -Xmx2g -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.AddsInFlight
 * }</pre>
 */
public final class AddsInFlight {
    private static final int ADDS = 100_000;

    private AddsInFlight() {}

    /** Weighs and prints. */
    public static void main(String[] args) {
        System.out.printf("bytes for each of %,d adds in flight:%n", ADDS);
        weigh("without a token", counter -> i -> counter.add(1));
        weigh("with a random token", counter -> i -> counter.add(1, IdempotencyToken.random()));
    }

    private interface Adding {
        IntFunction<CompletableFuture<?>> to(AsyncCounter counter);
    }

    private static void weigh(String what, Adding adding) {
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
            long before = used();
            for (int i = 0; i < ADDS; i++) {
                adds[i] = adding.to(counter).apply(i);
            }
            System.out.printf("%7.0f  %s%n", (used() - before) / (double) ADDS, what);
            store.faults().clear();
            CompletableFuture.allOf(adds).join();
        }
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
