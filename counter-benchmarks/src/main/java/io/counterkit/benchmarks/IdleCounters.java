package io.counterkit.benchmarks;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.inmemory.InMemoryBackend;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Weighs a million counters that nobody uses, by what the heap holds after a garbage collection with and without them:
 *
 * <pre>{@code
 * java -Xmx2g -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.IdleCounters
 * }</pre>
 */
public final class IdleCounters {
    private static final int COUNTERS = 1_000_000;

    private IdleCounters() {}

    /** Weighs and prints. */
    public static void main(String[] args) {
        try (Counters counters = Counters.over(InMemoryBackend.create())) {
            String[] names = new String[COUNTERS];
            double name = weigh(() -> Arrays.setAll(names, Names::of));
            Counter[] handles = new Counter[COUNTERS];
            double handle = weigh(() -> Arrays.setAll(handles, i -> counters.counter(names[i])));
            double present = weigh(() -> {
                for (Counter counter : handles) {
                    counter.add(1);
                }
            });
            double order = weigh(() -> counters.counterNames("", null, 1));
            System.out.printf("bytes each, of %,d counters with names of %d characters:%n", COUNTERS, Names.LENGTH);
            System.out.printf("%7.1f  a counter present in the store%n", present + name);
            System.out.printf("%7.1f    of it the name, which a handle shares if it brought it%n", name);
            System.out.printf("%7.1f  a handle (Counter) besides its name%n", handle);
            System.out.printf("%7.1f  the order of the names, once they were listed%n", order);
        }
    }

    private static double weigh(Runnable allocation) {
        long before = used();
        allocation.run();
        return (used() - before) / (double) COUNTERS;
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
