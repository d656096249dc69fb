package io.counterkit.internal.batch;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A queue of requests, and the batches formed from it. An idle queue sends a request immediately; later ones wait, and
 * form the next batch as soon as an answer arrives. Thread-safe.
 */
abstract class RequestQueue<C extends PendingChange<R>, R> {
    final PendingRequests pending;
    private final LongFunction<Batch<C, R>> batches;
    private final Runnable whenQuiet;
    private final Deque<C> queue = new ArrayDeque<>();
    private final Deque<Batch<C, R>> undecided = new ArrayDeque<>();

    /** Batches and direct requests that have no answer yet. Guarded by the lock. */
    int inFlight;

    /**
     * @param batches creates an empty batch that has this many nanoseconds
     * @param whenQuiet is called when the queue may have become idle
     */
    RequestQueue(LongFunction<Batch<C, R>> batches, PendingRequests pending, Runnable whenQuiet) {
        this.batches = batches;
        this.pending = pending;
        this.whenQuiet = whenQuiet;
    }

    synchronized void enqueue(C request) {
        queue.addLast(request);
    }

    /** Sends the batches that can be sent, after the calling thread has enqueued {@code own}. */
    abstract void run(C own);

    /** Sends the batches that can be sent without the thread of a caller. */
    abstract void pump();

    synchronized boolean isIdle() {
        return queue.isEmpty() && undecided.isEmpty() && inFlight == 0;
    }

    /** Counts a request that was sent directly as in flight. */
    final synchronized void occupy() {
        inFlight++;
    }

    /** Undoes {@link #occupy} and sends the batches that can be sent now. */
    final void vacate() {
        synchronized (this) {
            inFlight--;
        }
        pump();
    }

    final void reportQuiet() {
        whenQuiet.run();
    }

    /** The requests in the queue, in order. The caller holds the lock. */
    final Deque<C> queue() {
        return queue;
    }

    /** The batches to resolve, in order. The caller holds the lock. */
    final Deque<Batch<C, R>> undecided() {
        return undecided;
    }

    /** Puts a request aside that must not be in the next batch; returns false for any other. The caller holds the lock. */
    boolean tryHoldBack(C request) {
        return false;
    }

    /** Notes that a batch has taken a request. The caller holds the lock. */
    void onTaken(Batch<C, R> batch, C request) {}

    /** Moves on to the first request that is not held back; returns false if there is none. The caller holds the lock. */
    final boolean advance() {
        while (!queue.isEmpty() && tryHoldBack(queue.getFirst())) {
            queue.removeFirst();
        }
        return !queue.isEmpty();
    }

    /** Forms the next batch from the head of the queue, or returns null. The caller holds the lock. */
    final @Nullable Batch<C, R> form() {
        if (!advance()) {
            return null;
        }
        Batch<C, R> batch = batches.apply(latestDeadline() - System.nanoTime());
        while (!queue.isEmpty()) {
            C request = queue.peekFirst();
            if (request.isDone()) {
                request.drop();
            } else if (!tryHoldBack(request)) {
                if (!tryTake(batch, request)) {
                    break;
                }
                onTaken(batch, request);
            }
            queue.removeFirst();
        }
        batch.leftWaiting = queue.size();
        return batch.isEmpty() ? null : batch;
    }

    /** Returns the latest deadline of the requests in the queue, which is not empty. The caller holds the lock. */
    long latestDeadline() {
        return queue.getLast().deadline();
    }

    /** Hands a request to the batch, or settles it if the backend fails to weigh it. */
    private boolean tryTake(Batch<C, R> batch, C request) {
        try {
            return batch.tryTake(request);
        } catch (Throwable e) { // an Error too: it would stop the queue
            NotAppliedException failure =
                    new NotAppliedException(request.what() + ": the backend failed to weigh it", e);
            pending.execute(() -> request.settle(null, failure)); // not under the lock
            return true;
        }
    }

    final CompletableFuture<List<Result<R>>> send(Batch<C, R> batch) {
        try {
            return batch.isUndecided()
                    ? batch.resolve().exceptionallyCompose(RequestQueue::stillUndecided)
                    : Objects.requireNonNull(batch.send(), "the backend returned null for a future");
        } catch (Throwable e) { // an Error too: every caller in the batch needs an outcome
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns the failure of a batch that cannot be resolved. Its outcome stays unknown, whatever the reason. */
    private static <T> CompletableFuture<T> stillUndecided(Throwable failure) {
        return CompletableFuture.failedFuture(
                new IllegalStateException("resolving it failed: " + Reasons.of(failure), failure));
    }

    final void finish(
            Batch<C, R> batch,
            @Nullable List<Result<R>> results,
            @Nullable Throwable failure,
            long start,
            @Nullable C interrupted) {
        List<C> retries = batch.settle(results, failure, interrupted);
        synchronized (this) {
            if (batch.isUndecided()) {
                undecided.addFirst(batch);
            }
            for (int i = retries.size() - 1; i >= 0; i--) {
                queue.addFirst(retries.get(i));
            }
        }
        if (pending.hasListener() && !batch.isUndecided()) {
            pending.listener().onBatch(batch.event(System.nanoTime() - start));
        }
    }
}
