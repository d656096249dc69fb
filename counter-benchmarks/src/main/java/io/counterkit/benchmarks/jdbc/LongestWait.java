package io.counterkit.benchmarks.jdbc;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.sqlite.SQLiteDataSource;

/**
 * Adds to one counter in a SQLite file without a pause, and prints the longest time of an add. Start it several times at once
 * on one file. Arguments: the file, seconds, threads.
 */
public final class LongestWait {
    private LongestWait() {}

    public static void main(String[] args) throws Exception {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + args[0]);
        JdbcCounterOptions tables =
                JdbcCounterOptions.builder().createTables(true).build();
        CountersOptions patient =
                CountersOptions.builder().deadline(Duration.ofMinutes(1)).build();
        AtomicLong longest = new AtomicLong();
        try (Counters counters = Counters.over(JdbcCounterBackend.create(source, tables), patient)) {
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
