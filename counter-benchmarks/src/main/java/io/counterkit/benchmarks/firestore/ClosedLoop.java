package io.counterkit.benchmarks.firestore;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps a fixed number of operations in flight and measures the time of each. */
final class ClosedLoop {
    private final Supplier<? extends CompletableFuture<?>> operation;
    private final Semaphore free;
    private final int inFlight;
    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private ClosedLoop(int inFlight, Supplier<? extends CompletableFuture<?>> operation) {
        this.operation = operation;
        this.inFlight = inFlight;
        this.free = new Semaphore(inFlight);
    }

    /**
     * Starts operations for a while and waits for those in flight.
     *
     * @throws IllegalStateException if an operation failed
     */
    static LoadResult run(int inFlight, Duration duration, Supplier<? extends CompletableFuture<?>> operation)
            throws InterruptedException {
        return new ClosedLoop(inFlight, operation).run(duration);
    }

    private LoadResult run(Duration duration) throws InterruptedException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < duration.toNanos() && failure.get() == null) {
            free.acquire();
            start();
        }
        free.acquire(inFlight);
        double seconds = (System.nanoTime() - start) / 1e9;
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("an operation failed, so the measurement is void", failed);
        }
        return LoadResult.of(nanos.stream().mapToLong(Long::longValue).toArray(), seconds);
    }

    private void start() {
        long start = System.nanoTime();
        CompletableFuture<?> unused = operation.get().whenComplete((value, failed) -> {
            if (failed != null) {
                failure.compareAndSet(null, failed);
            }
            nanos.add(System.nanoTime() - start);
            free.release();
        });
    }
}
