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
 * What one way to append did for a while.
 *
 * @param rate appends per second
 * @param calls calls to the store per append
 * @param retries retries per append
 */
record Window(double rate, double calls, double retries) {
    /**
     * Runs threads that append without pause, and checks that the numbers are 1 to n. One append is made before, so that
     * what a process does once is not counted.
     */
    static Window run(int threads, Duration time, Appender appender, LongAdder calls, Runnable enterThread)
            throws Exception {
        LongAdder appends = new LongAdder();
        LongAdder sum = new LongAdder();
        long first = appender.append(Map.of(), () -> false);
        calls.reset();
        appender.retries().reset();
        long start = System.nanoTime();
        BooleanSupplier isOver = () -> System.nanoTime() - start >= time.toNanos();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(pool.submit(() -> {
                enterThread.run();
                while (!isOver.getAsBoolean()) {
                    long number = appender.append(Map.of("at", System.nanoTime()), isOver);
                    sum.add(number);
                    appends.add(number > 0 ? 1 : 0);
                }
                return null;
            }));
        }
        for (Future<?> each : running) {
            each.get(10, TimeUnit.MINUTES);
        }
        pool.shutdown();
        double seconds = (System.nanoTime() - start) / 1e9;
        long n = appends.sum();
        if (first + sum.sum() != (n + 1) * (n + 2) / 2) {
            throw new IllegalStateException(
                    appender + ": the numbers of " + (n + 1) + " appends are not 1 to " + (n + 1));
        }
        return new Window(
                n / seconds,
                (double) calls.sum() / n,
                (double) appender.retries().sum() / n);
    }
}
