package io.counterkit.benchmarks.firestore;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps a fixed number of operations in flight for a while, and times each from its start to its end. */
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

    /** Runs for a while and waits for what is in flight then; a failed operation fails the window. */
    static Sample run(int inFlight, Duration duration, Supplier<? extends CompletableFuture<?>> operation)
            throws InterruptedException {
        return new ClosedLoop(inFlight, operation).run(duration);
    }

    private Sample run(Duration duration) throws InterruptedException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < duration.toNanos() && failure.get() == null) {
            free.acquire();
            begin();
        }
        free.acquire(inFlight);
        double seconds = (System.nanoTime() - start) / 1e9;
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("an operation failed: the window shows nothing", failed);
        }
        return Sample.of(nanos.stream().mapToLong(Long::longValue).toArray(), seconds);
    }

    private void begin() {
        long begun = System.nanoTime();
        CompletableFuture<?> unused = operation.get().whenComplete((value, failed) -> {
            if (failed != null) {
                failure.compareAndSet(null, failed);
            }
            nanos.add(System.nanoTime() - begun);
            free.release();
        });
    }
}
