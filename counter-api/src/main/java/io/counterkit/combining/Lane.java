package io.counterkit.combining;

import io.counterkit.CountersListener;
import io.counterkit.spi.Result;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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
 * later on, so the leader goes on while only such requests are left. A caller that leaves hands on the lead as well.
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
                    finish(sent, results, failure, start);
                    landed();
                    pump();
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

    /** Leads until {@code own} is answered. The calling thread holds the lead. */
    void lead(W own) {
        boolean leading = true;
        try {
            while (leading) {
                Batch<W, R> batch = own.isDone() && handOver() ? null : formOrStop();
                leading = batch != null;
                if (batch != null) {
                    long start = System.nanoTime();
                    CompletableFuture<?> unused =
                            send(batch).whenComplete((results, failure) -> finish(batch, results, failure, start));
                }
            }
        } finally {
            if (leading) {
                passOn(); // an Error got through
            }
            whenQuiet.run();
        }
    }

    private synchronized @Nullable Batch<W, R> formOrStop() {
        Batch<W, R> batch = form();
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

    /** Gives up the lead, to another caller if one can take it. */
    synchronized void passOn() {
        led = handOver();
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
                outstanding.release(waiter);
            } else if (!batch.take(waiter)) {
                break;
            }
            queue.removeFirst();
        }
        return batch.isEmpty() ? null : batch;
    }

    private CompletableFuture<List<Result<R>>> send(Batch<W, R> batch) {
        try {
            return batch.send();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void finish(Batch<W, R> batch, @Nullable List<Result<R>> results, @Nullable Throwable failure, long start) {
        List<W> again = batch.settle(results, failure);
        int waiting;
        synchronized (this) {
            for (int i = again.size() - 1; i >= 0; i--) {
                queue.addFirst(again.get(i));
            }
            waiting = queue.size();
        }
        if (listener != CountersListener.disabled()) {
            listener.onBatch(batch.event(results, waiting, System.nanoTime() - start));
        }
    }
}
