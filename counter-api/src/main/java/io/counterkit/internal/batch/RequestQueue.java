package io.counterkit.internal.batch;

import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A queue of requests and the batches made of it. An idle lane sends at once; while the batches that may be on their way
 * are, requests wait, and form the next batch as soon as one is answered. There is no timer.
 *
 * <p>Where a batch is carried out by the thread that sends it, one caller at a time leads: it sends batches until its
 * own request is answered and then hands the lead to a caller that still waits. An asynchronous caller cannot lead
 * later on, so the leader goes on while only such requests are left, for as long as one deadline. A caller that is
 * handed the lead while it leaves does the same.
 *
 * <p>An interrupt is for the caller whose thread it hits, and for no other in its batch. A leader that carries others holds
 * back the interrupt that it finds, and leaves when the batch is answered. If the interrupt comes while the store is
 * called, so that the call fails, the next leader decides the outcome of the others.
 */
final class RequestQueue<W extends PendingRequest<R>, R> {
    private final Deque<W> queue = new ArrayDeque<>();
    private final Deque<Batch<W, R>> undecided = new ArrayDeque<>();
    private final AtomicInteger pumps = new AtomicInteger();
    private final boolean callerRuns;
    private final int maxInFlight;
    private final LongFunction<Batch<W, R>> batches;
    private final PendingRequests outstanding;
    private final CountersListener listener;
    private final Runnable whenQuiet;

    private int inFlight;
    private boolean led;

    /**
     * @param batches makes an empty batch that has so many nanoseconds
     * @param whenQuiet called when the lane may have become idle
     */
    RequestQueue(
            boolean callerRuns,
            int maxInFlight,
            LongFunction<Batch<W, R>> batches,
            PendingRequests outstanding,
            CountersListener listener,
            Runnable whenQuiet) {
        this.callerRuns = callerRuns;
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
        return queue.isEmpty() && undecided.isEmpty() && inFlight == 0 && !led;
    }

    /** Counts a request that was sent by itself as one that is on its way. */
    synchronized void occupy() {
        inFlight++;
    }

    /** The end of that. */
    void vacate() {
        landed();
        pump();
    }

    /** Sees to it that what was enqueued is sent, now or after what is on its way. */
    void run(W own) {
        if (callerRuns) {
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
                        finish(sent, results, failure, start, null);
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
        boolean interrupted = false;
        for (Batch<W, R> batch = nextToLead(own, end); batch != null; batch = nextToLead(own, end)) {
            interrupted |= carry(batch, own);
            if (interrupted) {
                own.stopBlocking();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        whenQuiet.run();
    }

    /**
     * Carries out a batch on this thread, whose interrupt flag is clear afterwards if others are in the batch.
     *
     * @return whether it was not clear
     */
    private boolean carry(Batch<W, R> batch, W own) {
        boolean hasOthers = !batch.isOnly(own);
        boolean before = hasOthers && Thread.interrupted();
        long start = System.nanoTime();
        CompletableFuture<List<Result<R>>> sent = send(batch);
        boolean meanwhile = hasOthers && Thread.interrupted();
        CompletableFuture<?> unused =
                sent.whenComplete((results, failure) -> finish(batch, results, failure, start, meanwhile ? own : null));
        return before || meanwhile;
    }

    /** The next batch for the leader to send; null once it leads no more. */
    private synchronized @Nullable Batch<W, R> nextToLead(W own, long end) {
        if (own.isDone() && handOver()) {
            return null;
        }
        boolean isOver = own.isDone() && System.nanoTime() - end > 0;
        Batch<W, R> batch = isOver ? null : nextUndecided();
        if (batch == null && !isOver) {
            batch = form();
        }
        led = batch != null;
        return batch;
    }

    /** The first undecided batch that a caller still waits for, or null. Holds the lock. */
    private @Nullable Batch<W, R> nextUndecided() {
        undecided.removeIf(batch -> {
            boolean isAbandoned = batch.waiting().isEmpty();
            if (isAbandoned) {
                batch.abandon();
            }
            return isAbandoned;
        });
        return undecided.pollFirst();
    }

    /** Gives the lead to the first caller that waits and can take it. */
    private synchronized boolean handOver() {
        return Stream.concat(undecided.stream().flatMap(batch -> batch.waiting().stream()), queue.stream())
                .anyMatch(PendingRequest::offerLead);
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
    private boolean isTaken(Batch<W, R> batch, W waiter) {
        try {
            return batch.take(waiter);
        } catch (Throwable e) { // an Error too: it would end the lane
            NotAppliedException failure =
                    new NotAppliedException(waiter.what() + ": the backend failed to weigh it", e);
            outstanding.execute(() -> waiter.settle(null, failure)); // not under the lock
            return true;
        }
    }

    private CompletableFuture<List<Result<R>>> send(Batch<W, R> batch) {
        try {
            return batch.isUndecided()
                    ? batch.decide().exceptionallyCompose(RequestQueue::unasked)
                    : Objects.requireNonNull(batch.send(), "the backend returned null for a future");
        } catch (Throwable e) { // an Error too: every caller in the batch has to be told
            return CompletableFuture.failedFuture(e);
        }
    }

    /** If the store cannot be asked, the outcome of the batch stays unknown, whatever the reason. */
    private static <T> CompletableFuture<T> unasked(Throwable failure) {
        return CompletableFuture.failedFuture(
                new IllegalStateException("asking for it failed: " + Reasons.of(failure), failure));
    }

    private void finish(
            Batch<W, R> batch,
            @Nullable List<Result<R>> results,
            @Nullable Throwable failure,
            long start,
            @Nullable W interrupted) {
        List<W> again = batch.settle(results, failure, interrupted);
        synchronized (this) {
            if (batch.isUndecided()) {
                undecided.addFirst(batch);
            }
            for (int i = again.size() - 1; i >= 0; i--) {
                queue.addFirst(again.get(i));
            }
        }
        if (listener != CountersListener.disabled() && !batch.isUndecided()) {
            listener.onBatch(batch.event(System.nanoTime() - start));
        }
    }
}
