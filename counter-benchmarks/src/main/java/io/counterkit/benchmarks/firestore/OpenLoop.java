package io.counterkit.benchmarks.firestore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** Starts operations of several processes at a fixed rate, each process from a thread of its own. */
final class OpenLoop {
    /** So that all threads are there when the first operation is due. */
    private static final Duration LEAD = Duration.ofMillis(20);

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Histogram times = new Histogram(3);
    private final Histogram delays = new Histogram(3);
    private long failures;

    /**
     * Runs one window of load, and waits until every operation of it is answered.
     *
     * @param rate operations a second, of all processes together, which start them in turn
     * @throws IllegalStateException if an operation was not answered within minutes
     */
    void run(double rate, Duration window, List<? extends Supplier<? extends CompletableFuture<?>>> processes)
            throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(processes.size());
        try {
            double step = TimeUnit.SECONDS.toNanos(1) / rate;
            double interval = step * processes.size();
            int count = countOfEach(rate, window, processes.size());
            long start = System.nanoTime() + LEAD.toNanos();
            List<PacedProcess> paced = new ArrayList<>();
            List<Future<CountDownLatch>> started = new ArrayList<>();
            for (Supplier<? extends CompletableFuture<?>> operation : processes) {
                PacedProcess process = new PacedProcess(operation);
                long first = start + (long) (paced.size() * step);
                paced.add(process);
                started.add(threads.submit(() -> process.start(count, first, interval)));
            }
            for (Future<CountDownLatch> process : started) {
                if (!process.get().await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    throw new IllegalStateException(
                            "an operation was not answered for " + PATIENCE.toSeconds() + " s: use a lower rate");
                }
            }
            paced.forEach(this::add);
        } catch (ExecutionException e) {
            throw new IllegalStateException("an operation could not be started, so the measurement is void", e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns how many operations each process starts, at least one. */
    static int countOfEach(double rate, Duration window, int processes) {
        return Math.max(1, (int) (window.toNanos() * rate / (processes * 1e9)));
    }

    private void add(PacedProcess process) {
        failures += process.failures();
        times.add(process.times());
        delays.add(process.delays());
    }

    /** Returns how many operations failed. */
    long failures() {
        return failures;
    }

    /** Returns the nanoseconds of all operations, from the moment when each was due. */
    Histogram times() {
        return times;
    }

    /** Returns by how many nanoseconds the operations were started late. */
    Histogram delays() {
        return delays;
    }
}
