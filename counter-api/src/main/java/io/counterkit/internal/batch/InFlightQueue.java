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
 * Sends a bounded number of batches at a time to a backend that answers on its own threads. If batches are disjoint,
 * requests for a name that is in flight are held back, so that they form one batch and others do not wait for them.
 *
 * <p>Batches start at least {@value #SHARE_MILLIS} ms apart while one is in flight. A store that answers sooner then
 * gets few large batches instead of many small ones. A store that is slow or waits for a lock gets several at once.
 * After a full batch the next one starts immediately.
 *
 * <p>Callers that were answered often send their next requests immediately. So after an answer to several requests, the
 * next batch waits until all these callers have sent a request, unless more requests wait than were answered. It waits
 * for at most a quarter of the time that the answer took, and at most {@value #SHARE_MILLIS} ms. Otherwise the two
 * groups of callers would alternate, which takes twice as many batches. A request of a single caller never waits.
 */
final class InFlightQueue<C extends PendingChange<R>, R> extends RequestQueue<C, R> {
    private static final long SHARE_MILLIS = 2;
    private static final long SHARE_NANOS = TimeUnit.MILLISECONDS.toNanos(SHARE_MILLIS);

    /** The next batch waits for the callers of an answer for at most the time of that answer, divided by this. */
    private static final int PART_OF_ANSWER = 4;

    private final int maxInFlight;
    private final boolean isDisjoint;

    /** The requests that wait for each name in flight, in order. Guarded by the lock. */
    private final Map<String, Deque<C>> heldBack = new HashMap<>();

    private final AtomicInteger pumps = new AtomicInteger();

    /** When the next batch may start while one is in flight. Guarded by the lock, as the next fields. */
    private long nextStart;

    /** How many requests the next batch waits for, and until when. */
    private int expected;

    private long expectedUntil;
    private boolean isPumpDue;
    private long pumpDueAt;

    /** @param isDisjoint whether batches in flight have no name in common */
    InFlightQueue(
            int maxInFlight,
            boolean isDisjoint,
            LongFunction<Batch<C, R>> batches,
            PendingRequests pending,
            Runnable whenQuiet) {
        super(batches, pending, whenQuiet);
        this.maxInFlight = maxInFlight;
        this.isDisjoint = isDisjoint;
    }

    @Override
    boolean tryHoldBack(C request) {
        Deque<C> behind = isDisjoint ? heldBack.get(request.target().name()) : null;
        if (behind != null) {
            behind.addLast(request);
        }
        return behind != null;
    }

    @Override
    void onTaken(Batch<C, R> batch, C request) {
        if (isDisjoint) {
            batch.names.add(request.target().name());
        }
    }

    /**
     * The last request may not have the latest deadline, since requests that were held back return to the head of the
     * queue.
     */
    @Override
    long latestDeadline() {
        long latest = super.latestDeadline();
        if (isDisjoint) {
            for (C request : queue()) {
                latest = request.deadline() - latest > 0 ? request.deadline() : latest;
            }
        }
        return latest;
    }

    @Override
    void run(C own) {
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
            for (Batch<C, R> batch = next(); batch != null; batch = next()) {
                start(batch);
            }
            seen = pumps.addAndGet(-seen);
        } while (seen != 0);
        reportIfIdle();
    }

    /** Reports that this queue is idle: immediately, or when the time to wait for expected requests has passed. */
    private void reportIfIdle() {
        synchronized (this) {
            if (!super.isIdle()) {
                return;
            }
            long now = System.nanoTime();
            if (isExpecting(now)) {
                pumpAt(expectedUntil, now);
                return;
            }
        }
        reportQuiet();
    }

    private void start(Batch<C, R> batch) {
        long start = System.nanoTime();
        CompletableFuture<?> unused = send(batch).whenComplete((results, failure) -> {
            try {
                expectCallersOf(batch, start);
                finish(batch, results, failure, start, null);
            } finally {
                release(batch);
                vacate();
            }
        });
    }

    /**
     * Makes the next batch wait for the next requests of the callers of {@code answered}. Called before they get their
     * answers.
     */
    private synchronized void expectCallersOf(Batch<C, R> answered, long start) {
        int waiting = queue().size();
        for (String name : answered.names) {
            Deque<C> behind = heldBack.get(name);
            waiting += behind == null ? 0 : behind.size();
        }
        boolean isWorthwhile = !answered.isFull && answered.size() > 1 && answered.size() >= waiting;
        long now = System.nanoTime();
        expected = isWorthwhile ? waiting + answered.size() : 0;
        expectedUntil = now + Math.min(SHARE_NANOS, (now - start) / PART_OF_ANSWER);
    }

    /**
     * A queue that waits for expected requests is not idle: an idle queue is removed, and a new one would not wait for
     * them.
     */
    @Override
    synchronized boolean isIdle() {
        return super.isIdle() && !isExpecting(System.nanoTime());
    }

    /** Returns whether the next batch should wait for more requests than the queue has. The caller holds the lock. */
    private boolean isExpecting(long now) {
        return queue().size() < expected && expectedUntil - now > 0;
    }

    /** Puts the requests that this batch held back into the queue. */
    private synchronized void release(Batch<C, R> batch) {
        for (String name : batch.names) {
            Deque<C> behind = heldBack.remove(name);
            while (behind != null && !behind.isEmpty()) {
                queue().addFirst(behind.removeLast());
            }
        }
    }

    private synchronized @Nullable Batch<C, R> next() {
        Batch<C, R> batch = inFlight < maxInFlight && !tryDelay() ? form() : null;
        if (batch != null) {
            inFlight++;
            expected = 0;
            batch.isFull = batch.leftWaiting > 0;
            nextStart = System.nanoTime() + (batch.isFull ? 0 : SHARE_NANOS);
            batch.leftWaiting +=
                    heldBack.values().stream().mapToInt(Deque::size).sum();
            batch.names.forEach(name -> heldBack.put(name, new ArrayDeque<>()));
        }
        return batch;
    }

    /** Schedules the next batch for later and returns true, unless it should start now. The caller holds the lock. */
    private boolean tryDelay() {
        if (!advance()) {
            return false;
        }
        long now = System.nanoTime();
        long left = Math.max(inFlight == 0 ? 0 : nextStart - now, isExpecting(now) ? expectedUntil - now : 0);
        if (left > 0) {
            pumpAt(now + left, now);
        }
        return left > 0;
    }

    /** Schedules {@link #pump} for a time, unless it is scheduled for an earlier one. The caller holds the lock. */
    private void pumpAt(long at, long now) {
        if (!isPumpDue || at - pumpDueAt < 0) {
            isPumpDue = true;
            pumpDueAt = at;
            pending.runAfter(at - now, () -> runDuePump(at));
        }
    }

    /** Runs a scheduled {@link #pump}, even if an earlier one has replaced it. */
    private void runDuePump(long at) {
        synchronized (this) {
            isPumpDue &= at != pumpDueAt;
        }
        pump();
    }
}
