package io.counterkit.combining;

import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Result;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A queue of requests and the batches made of it. An idle lane sends at once; while the batches that may be on their way
 * are, requests wait, and form the next batch as soon as one is answered. There is no timer.
 *
 * <p>Where a batch is carried out by the thread that sends it, one caller at a time leads: it sends batches until its
 * own request is answered and then hands the lead to a caller that still waits. An asynchronous caller cannot lead
 * later on, so the leader goes on while only such requests are left, for as long as one deadline. A caller that is
 * handed the lead while it leaves does the same.
 */
final class Lane<W extends Waiter<R>, R> {
    private final Deque<W> queue = new ArrayDeque<>();
    private final AtomicInteger pumps = new AtomicInteger();
    private final boolean onCaller;
    private final int maxInFlight;
    private final LongFunction<Batch<W, R>> batches;
    private final Outstanding outstanding;
    private final CountersListener listener;
    private final Runnable whenQuiet;

    private int inFlight;
    private boolean led;

    /**
     * @param batches makes an empty batch that has so many nanoseconds
     * @param whenQuiet called when the lane may have become idle
     */
    Lane(
            boolean onCaller,
            int maxInFlight,
            LongFunction<Batch<W, R>> batches,
            Outstanding outstanding,
            CountersListener listener,
            Runnable whenQuiet) {
        this.onCaller = onCaller;
        this.maxInFlight = maxInFlight;
        this.batches = batches;
        this.outstanding = outstanding;
        this.listener = listener;
        this.whenQuiet = whenQuiet;
    }

    synchronized void enqueue(W waiter) {
        queue.addLast(waiter);
    }

    synchronized boolean isIdle() {
        return queue.isEmpty() && inFlight == 0 && !led;
    }

    /** Sees to it that what was enqueued is sent, now or after what is on its way. */
    void run(W own) {
        if (onCaller) {
            if (seizeLead()) {
                lead(own);
            }
        } else {
            pump();
        }
    }

    /** Sends what can be sent. Called again from within, by a batch that is answered at once, it lets the outer call go on. */
    private void pump() {
        if (pumps.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            for (Batch<W, R> batch = nextInFlight(); batch != null; batch = nextInFlight()) {
                Batch<W, R> sent = batch;
                long start = System.nanoTime();
                CompletableFuture<?> unused = send(sent).whenComplete((results, failure) -> {
                    try {
                        finish(sent, results, failure, start);
                    } finally {
                        landed();
                        pump();
                    }
                });
            }
            seen = pumps.addAndGet(-seen);
        } while (seen != 0);
        whenQuiet.run();
    }

    private synchronized @Nullable Batch<W, R> nextInFlight() {
        Batch<W, R> batch = inFlight < maxInFlight ? form() : null;
        if (batch != null) {
            inFlight++;
        }
        return batch;
    }

    private synchronized void landed() {
        inFlight--;
    }

    private synchronized boolean seizeLead() {
        boolean free = !led;
        led = true;
        return free;
    }

    /**
     * Leads until {@code own} is answered, and while only asynchronous requests are left, but not longer than one more
     * deadline. The calling thread holds the lead.
     */
    void lead(W own) {
        long end = System.nanoTime() + outstanding.timeoutNanos();
        for (Batch<W, R> batch = nextToLead(own, end); batch != null; batch = nextToLead(own, end)) {
            Batch<W, R> sent = batch;
            long start = System.nanoTime();
            CompletableFuture<?> unused =
                    send(sent).whenComplete((results, failure) -> finish(sent, results, failure, start));
        }
        whenQuiet.run();
    }

    /** The next batch for the leader to send; null once it leads no more. */
    private synchronized @Nullable Batch<W, R> nextToLead(W own, long end) {
        if (own.isDone() && handOver()) {
            return null;
        }
        Batch<W, R> batch = own.isDone() && System.nanoTime() - end > 0 ? null : form();
        led = batch != null;
        return batch;
    }

    /** Gives the lead to the first caller that waits and can take it. */
    private synchronized boolean handOver() {
        for (W waiter : queue) {
            if (waiter.offerLead()) {
                return true;
            }
        }
        return false;
    }

    /** The next batch from the head of the queue, or null. Holds the lock. */
    private @Nullable Batch<W, R> form() {
        if (queue.isEmpty()) {
            return null;
        }
        Batch<W, R> batch = batches.apply(queue.getLast().deadline() - System.nanoTime());
        while (!queue.isEmpty()) {
            W waiter = queue.peekFirst();
            if (waiter.isDone()) {
                waiter.drop();
            } else if (!isTaken(batch, waiter)) {
                break;
            }
            queue.removeFirst();
        }
        batch.leftWaiting = queue.size();
        return batch.isEmpty() ? null : batch;
    }

    /** Whether there is no more to do for a waiter: it is in the batch, or the backend could not even weigh it. */
    private static <W extends Waiter<R>, R> boolean isTaken(Batch<W, R> batch, W waiter) {
        try {
            return batch.take(waiter);
        } catch (Throwable e) { // an Error too: it would end the lane
            NotAppliedException failure =
                    new NotAppliedException(waiter.what() + ": the backend failed to weigh it", e);
            CompletableFuture<?> unused =
                    CompletableFuture.runAsync(() -> waiter.settle(null, failure)); // not under the lock
            return true;
        }
    }

    private CompletableFuture<List<Result<R>>> send(Batch<W, R> batch) {
        try {
            return Objects.requireNonNull(batch.send(), "the backend returned null for a future");
        } catch (Throwable e) { // an Error too: every caller in the batch has to be told
            return CompletableFuture.failedFuture(e);
        }
    }

    private void finish(Batch<W, R> batch, @Nullable List<Result<R>> results, @Nullable Throwable failure, long start) {
        List<W> again = batch.settle(results, failure);
        synchronized (this) {
            for (int i = again.size() - 1; i >= 0; i--) {
                queue.addFirst(again.get(i));
            }
        }
        if (listener != CountersListener.disabled()) {
            listener.onBatch(batch.event(System.nanoTime() - start));
        }
    }
}
