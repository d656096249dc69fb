package io.counterkit.internal.batch;

import io.counterkit.spi.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches to a backend that runs them on the calling thread. One caller at a time leads: it sends batches until
 * its own request is answered, then hands the lead to a caller that still waits. An asynchronous caller cannot take the
 * lead later, so a leader continues while only such requests are left, for at most one deadline. A caller that gets the
 * lead while it leaves does the same.
 *
 * <p>An interrupt affects only the caller whose thread is interrupted. If the batch of an interrupted leader has other
 * members, the leader defers the interrupt until the batch is answered, and then gives its own request up. If the
 * interrupt makes the call of the store fail, the next leader resolves the outcome of the other members.
 */
final class CallerRunsQueue<C extends PendingChange<R>, R> extends RequestQueue<C, R> {
    private boolean led;

    CallerRunsQueue(LongFunction<Batch<C, R>> batches, PendingRequests pending, Runnable whenQuiet) {
        super(batches, pending, whenQuiet);
    }

    @Override
    synchronized void enqueue(C request) {
        request.onLead(() -> lead(request));
        super.enqueue(request);
    }

    @Override
    void run(C own) {
        if (trySeizeLead()) {
            lead(own);
        }
    }

    @Override
    void pump() {} // a caller leads, or the queue is empty

    @Override
    synchronized boolean isIdle() {
        return !led && super.isIdle();
    }

    private synchronized boolean trySeizeLead() {
        boolean free = !led;
        led = true;
        return free;
    }

    /**
     * Leads until {@code own} is answered, and then for at most one deadline while only asynchronous requests are left.
     */
    private void lead(C own) {
        long end = System.nanoTime() + pending.timeoutNanos();
        boolean interrupted = false;
        for (Batch<C, R> batch = next(own, end); batch != null; batch = next(own, end)) {
            interrupted |= runBatch(batch, own);
            if (interrupted) {
                own.giveUpInterrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        reportQuiet();
    }

    /**
     * Runs a batch on this thread, and clears the interrupt flag if the batch has other members.
     *
     * @return whether the flag was set
     */
    private boolean runBatch(Batch<C, R> batch, C own) {
        boolean hasOthers = !batch.isOnly(own);
        boolean before = hasOthers && Thread.interrupted();
        long start = System.nanoTime();
        CompletableFuture<List<Result<R>>> sent = send(batch);
        boolean meanwhile = hasOthers && Thread.interrupted();
        CompletableFuture<?> unused =
                sent.whenComplete((results, failure) -> finish(batch, results, failure, start, meanwhile ? own : null));
        return before || meanwhile;
    }

    /** Returns the next batch for the leader to run, or null after giving up the lead. */
    private synchronized @Nullable Batch<C, R> next(C own, long end) {
        if (own.isDone() && tryHandOver()) {
            return null;
        }
        boolean isOver = own.isDone() && System.nanoTime() - end > 0;
        Batch<C, R> batch = isOver ? null : nextUndecided();
        if (batch == null && !isOver) {
            batch = form();
        }
        led = batch != null;
        return batch;
    }

    /** Returns the first undecided batch that a caller still waits for, or null. The caller holds the lock. */
    private @Nullable Batch<C, R> nextUndecided() {
        undecided().removeIf(batch -> {
            boolean isAbandoned = batch.waiting().isEmpty();
            if (isAbandoned) {
                batch.abandon();
            }
            return isAbandoned;
        });
        return undecided().pollFirst();
    }

    /** Hands the lead to the first waiting caller that can take it. The caller holds the lock. */
    private boolean tryHandOver() {
        return Stream.concat(undecided().stream().flatMap(batch -> batch.waiting().stream()), queue().stream())
                .anyMatch(PendingRequest::offerLead);
    }
}
