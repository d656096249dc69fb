package io.counterkit.benchmarks.datastore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * The rate of appends of one algorithm.
 *
 * @param perSecond appends per second
 * @param calls calls to the store per append
 * @param retries retries per append
 */
record AppendRate(double perSecond, double calls, double retries) {
    /**
     * Appends without pause on several threads, and checks that the numbers are 1 to n. Makes one append in advance, so
     * that the one-time work of a process is not measured.
     */
    static AppendRate measure(int threads, Duration time, Appender appender, LongAdder calls, Runnable enterThread)
            throws Exception {
        LongAdder appends = new LongAdder();
        LongAdder sum = new LongAdder();
        long first = appender.append(Map.of(), () -> false);
        calls.reset();
        appender.retries().reset();
        long start = System.nanoTime();
        BooleanSupplier isOver = () -> System.nanoTime() - start >= time.toNanos();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            tasks.add(pool.submit(() -> {
                enterThread.run();
                while (!isOver.getAsBoolean()) {
                    long number = appender.append(Map.of("at", System.nanoTime()), isOver);
                    sum.add(number);
                    appends.add(number > 0 ? 1 : 0);
                }
                return null;
            }));
        }
        for (Future<?> task : tasks) {
            task.get(10, TimeUnit.MINUTES);
        }
        pool.shutdown();
        double seconds = (System.nanoTime() - start) / 1e9;
        long n = appends.sum();
        if (first + sum.sum() != (n + 1) * (n + 2) / 2) {
            throw new IllegalStateException(
                    appender + ": the numbers of " + (n + 1) + " appends are not 1 to " + (n + 1));
        }
        return new AppendRate(
                n / seconds,
                (double) calls.sum() / n,
                (double) appender.retries().sum() / n);
    }
}
