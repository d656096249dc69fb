package io.counterkit.internal.batch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends up to a number of batches at a time to a backend that answers on threads of its own. If batches are disjoint,
 * requests for a name that is in flight wait beside the queue, so that they form one batch and others do not wait for them.
 *
 * <p>Batches start at least {@value #SHARE_MILLIS} ms apart while one is in flight: a store that answers sooner then gets few
 * large batches instead of many small ones, and one that is slow or waits for a lock gets several at once. After a full
 * batch the next one starts at once.
 */
final class InFlightQueue<W extends PendingChange<R>, R> extends RequestQueue<W, R> {
    private static final long SHARE_MILLIS = 2;

    private final int maxInFlight;
    private final boolean isDisjoint;

    /** The requests that wait for each name in flight, in order. Guarded by the lock. */
    private final Map<String, Deque<W>> waiting = new HashMap<>();

    private final AtomicInteger pumps = new AtomicInteger();

    /** When the next batch may start while one is in flight. Guarded by the lock, as the next field. */
    private long nextStart;

    private boolean isPumpDue;

    /** @param isDisjoint whether batches in flight have no name in common */
    InFlightQueue(
            int maxInFlight,
            boolean isDisjoint,
            LongFunction<Batch<W, R>> batches,
            PendingRequests pending,
            Runnable whenQuiet) {
        super(batches, pending, whenQuiet);
        this.maxInFlight = maxInFlight;
        this.isDisjoint = isDisjoint;
    }

    @Override
    boolean isNext(W request) {
        Deque<W> behind = isDisjoint ? waiting.get(request.target().name()) : null;
        if (behind != null) {
            behind.addLast(request);
        }
        return behind == null;
    }

    @Override
    void taken(Batch<W, R> batch, W request) {
        if (isDisjoint) {
            batch.names.add(request.target().name());
        }
    }

    /**
     * The last request may not have the latest deadline, since requests that waited beside the queue return to its
     * head.
     */
    @Override
    long latestDeadline() {
        long latest = super.latestDeadline();
        if (isDisjoint) {
            for (W request : queue()) {
                latest = request.deadline() - latest > 0 ? request.deadline() : latest;
            }
        }
        return latest;
    }

    @Override
    void run(W own) {
        pump();
    }

    /** If a batch is answered before {@code send} returns, the nested call only makes the outer one loop again. */
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
                release(batch);
                vacate();
            }
        });
    }

    /** Returns the requests that waited for this batch to the queue. */
    private synchronized void release(Batch<W, R> batch) {
        for (String name : batch.names) {
            Deque<W> behind = waiting.remove(name);
            while (behind != null && !behind.isEmpty()) {
                queue().addFirst(behind.removeLast());
            }
        }
    }

    private synchronized @Nullable Batch<W, R> next() {
        Batch<W, R> batch = inFlight < maxInFlight && !isSharing() ? form() : null;
        if (batch != null) {
            inFlight++;
            boolean isFull = batch.leftWaiting > 0;
            nextStart = System.nanoTime() + (isFull ? 0 : TimeUnit.MILLISECONDS.toNanos(SHARE_MILLIS));
            batch.leftWaiting += waiting.values().stream().mapToInt(Deque::size).sum();
            batch.names.forEach(name -> waiting.put(name, new ArrayDeque<>()));
        }
        return batch;
    }

    /** Returns whether the next batch is to wait for more requests; then it is sent in time. The caller holds the lock. */
    private boolean isSharing() {
        if (inFlight == 0 || !hasNext()) {
            return false;
        }
        long left = nextStart - System.nanoTime();
        if (left > 0 && !isPumpDue) {
            isPumpDue = true;
            pending.runAfter(left, this::pumpDue);
        }
        return left > 0;
    }

    private void pumpDue() {
        synchronized (this) {
            isPumpDue = false;
        }
        pump();
    }
}
