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

/**
 * What one way to append did for a while.
 *
 * @param rate appends per second
 * @param calls calls to the store per append
 * @param retries retries per append
 */
record Window(double rate, double calls, double retries) {
    /** Runs threads that append without pause, and checks that the numbers are 1 to n. */
    static Window run(int threads, Duration time, Appender appender, LongAdder calls, Runnable enterThread)
            throws Exception {
        LongAdder appends = new LongAdder();
        LongAdder sum = new LongAdder();
        calls.reset();
        long start = System.nanoTime();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(pool.submit(() -> {
                enterThread.run();
                while (System.nanoTime() - start < time.toNanos()) {
                    sum.add(appender.append(Map.of("at", System.nanoTime())));
                    appends.increment();
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
        if (sum.sum() != n * (n + 1) / 2) {
            throw new IllegalStateException(appender + ": the numbers of " + n + " appends are not 1 to " + n);
        }
        return new Window(
                n / seconds,
                (double) calls.sum() / n,
                (double) appender.retries().sum() / n);
    }
}
