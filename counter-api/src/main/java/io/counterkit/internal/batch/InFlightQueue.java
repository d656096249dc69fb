package io.counterkit.internal.batch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Sends up to a number of batches at a time to a backend that answers on threads of its own. */
final class InFlightQueue<W extends PendingChange<R>, R> extends RequestQueue<W, R> {
    private final int maxInFlight;
    private final AtomicInteger pumps = new AtomicInteger();

    InFlightQueue(int maxInFlight, LongFunction<Batch<W, R>> batches, PendingRequests pending, Runnable whenQuiet) {
        super(batches, pending, whenQuiet);
        this.maxInFlight = maxInFlight;
    }

    @Override
    void run(W own) {
        pump();
    }

    /** A nested call, by a batch that is answered at once, only makes the outer one loop again. */
    @Override
    void pump() {
        if (pumps.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            for (Batch<W, R> batch = next(); batch != null; batch = next()) {
                start(batch);
            }
            seen = pumps.addAndGet(-seen);
        } while (seen != 0);
        reportQuiet();
    }

    private void start(Batch<W, R> batch) {
        long start = System.nanoTime();
        CompletableFuture<?> unused = send(batch).whenComplete((results, failure) -> {
            try {
                finish(batch, results, failure, start, null);
            } finally {
                vacate();
            }
        });
    }

    private synchronized @Nullable Batch<W, R> next() {
        Batch<W, R> batch = inFlight < maxInFlight ? form() : null;
        if (batch != null) {
            inFlight++;
        }
        return batch;
    }
}
