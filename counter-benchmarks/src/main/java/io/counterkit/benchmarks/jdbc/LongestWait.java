package io.counterkit.benchmarks.jdbc;

import io.counterkit.Counter;
import io.counterkit.Counters;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds to one counter in a SQLite file without a pause, and prints the longest time of an add. Start it several times
 * at once on one file. Arguments: the file, seconds, threads.
 */
public final class LongestWait {
    private LongestWait() {}

    public static void main(String[] args) throws Exception {
        AtomicLong longest = new AtomicLong();
        try (Counters counters = CompareJdbc.open(CompareJdbc.sqlite("jdbc:sqlite:" + args[0]), false)) {
            Counter counter = counters.counter("one");
            ClosedLoop.Rate rate = ClosedLoop.run(Integer.parseInt(args[2]), Double.parseDouble(args[1]), () -> () -> {
                long start = System.nanoTime();
                counter.increment();
                longest.accumulateAndGet(System.nanoTime() - start, Math::max);
            });
            System.out.printf(
                    "%,.0f adds a second, the longest took %,d ms%n", rate.perSecond(), longest.get() / 1_000_000);
        }
    }
}
