package io.counterkit.internal.batch;

import io.counterkit.IdempotencyToken;
import io.counterkit.QueueFullException;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Every request that was accepted and has no answer yet: bounds their number and size, ends those whose deadline has
 * passed, and is what close waits for. Requests that are answered at once never come here. Thread-safe.
 */
public final class PendingRequests {
    /** How often close looks whether a caller was told whose callback, which runs then, has not returned. */
    private static final long LOOK_MILLIS = 20;

    private final Set<PendingRequest<?>> waiters = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean sweepDue = new AtomicBoolean();
    private final int limit;
    private final long maxBytes;
    private final long timeoutNanos;
    private final Timers timers;
    private volatile boolean closed;

    /**
     * @param limit how many requests may be outstanding
     * @param maxBytes how many bytes they may take together
     * @param timeout how long each may take
     * @param timers measure that time, and run callbacks of those that are ended
     */
    public PendingRequests(int limit, long maxBytes, Duration timeout, Timers timers) {
        this.limit = limit;
        this.maxBytes = maxBytes;
        this.timeoutNanos = timeout.toNanos();
        this.timers = timers;
    }

    /** Runs {@code callback} on a thread of ours, soon, even if other callbacks block. */
    void execute(Runnable callback) {
        timers.executor().execute(callback);
    }

    /** How long a request may take. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    /** How many requests have no answer yet. */
    int size() {
        return count.get();
    }

    /**
     * Does nothing while requests are accepted.
     *
     * @throws IllegalStateException after close
     */
    public void checkOpen() {
        if (closed) {
            throw new IllegalStateException("these counters are closed");
        }
    }

    /**
     * Accepts a request; false if there are too many, or too large ones.
     *
     * @throws IllegalStateException after close
     */
    public boolean admit(PendingRequest<?> waiter) {
        checkOpen();
        int requests = count.incrementAndGet();
        if (bytes.addAndGet(waiter.bytes()) > maxBytes || requests > limit) {
            release(waiter);
            return false;
        }
        waiters.add(waiter);
        if (closed) {
            waiter.giveUp("the counters were closed", null);
            checkOpen();
        }
        sweepAfter(timeoutNanos);
        return true;
    }

    private void release(PendingRequest<?> waiter) {
        count.decrementAndGet();
        bytes.addAndGet(-waiter.bytes());
    }

    /** The refusal of one request too many. */
    public QueueFullException queueFull(String what) {
        return new QueueFullException(what + ": " + count.get() + " requests are waiting for the store already, of "
                + bytes.get() + " bytes; at most " + limit + " may, of " + maxBytes
                + " bytes: slow down, or raise queueLimit or queueBytes if there is memory");
    }

    /** Lets another request in before {@code waiter} is told its answer, since its caller may send the next at once. */
    void makeRoomOf(PendingRequest<?> waiter) {
        if (waiters.contains(waiter)) {
            release(waiter);
        }
    }

    /** Forgets a request that has been told its answer; only then may close return. */
    void forget(PendingRequest<?> waiter) {
        waiters.remove(waiter);
        if (closed) {
            wakeDrain();
        }
    }

    private synchronized void wakeDrain() {
        notifyAll();
    }

    /** One sweep is due at a time, and none while nothing is outstanding. */
    private void sweepAfter(long nanos) {
        if (!sweepDue.get() && sweepDue.compareAndSet(false, true)) {
            CompletableFuture<?> unused = timers.after(nanos).thenRun(this::sweep);
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        long next = Long.MAX_VALUE;
        for (PendingRequest<?> waiter : waiters) {
            long left = waiter.deadline() - now;
            if (left <= 0) {
                giveUp(waiter);
            } else {
                next = Math.min(next, left);
            }
        }
        if (next != Long.MAX_VALUE) { // what was admitted meanwhile has a later deadline
            CompletableFuture<?> unused = timers.after(next).thenRun(this::sweep);
            return;
        }
        sweepDue.set(false);
        if (!waiters.isEmpty()) {
            sweepAfter(timeoutNanos);
        }
    }

    /** One request that cannot even be given up, as where the application makes no random numbers, stops no other. */
    private static void giveUp(PendingRequest<?> waiter) {
        try {
            waiter.giveUp("the deadline passed", null);
        } catch (RuntimeException | Error e) {
            waiter.settle(null, e);
        }
    }

    /** Accepts nothing more from now on; false if that was so already. */
    public synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /**
     * Waits until every request is answered or {@code timeout} has passed, then ends the rest, and waits until their callers
     * are told.
     *
     * @return the tokens of the changes that were still on their way
     */
    public List<IdempotencyToken> drain(Duration timeout) {
        awaitAll(timeout);
        List<IdempotencyToken> unknown = giveUpAll(); // not under the lock: waiters take it when they are released
        awaitAll(timeout);
        return unknown;
    }

    private synchronized void awaitAll(Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            for (long left = timeout.toNanos(); left > 0 && !isAllTold(); left = end - System.nanoTime()) {
                wait(Math.min(left / 1_000_000 + 1, LOOK_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A callback of a reply may close, which must not wait for that callback. */
    private boolean isAllTold() {
        return waiters.stream().allMatch(PendingRequest::isTold);
    }

    private List<IdempotencyToken> giveUpAll() {
        List<IdempotencyToken> unknown = new ArrayList<>();
        for (PendingRequest<?> waiter : waiters) {
            IdempotencyToken token = waiter.giveUp("the counters were closed", null);
            if (token != null) {
                unknown.add(token);
            }
        }
        return unknown;
    }
}
