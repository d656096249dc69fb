package io.counterkit.internal.batch;

import io.counterkit.CountersListener;
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
import org.jspecify.annotations.Nullable;

/**
 * The requests that were accepted and have no answer yet. Bounds their number and size, gives them up at their
 * deadlines, and lets close wait for them. An add on a fast path is not among them. Thread-safe.
 */
public final class PendingRequests {
    /** How often close checks whether only callbacks of completed replies are still running. */
    private static final long POLL_MILLIS = 20;

    private final Set<PendingRequest<?>> requests = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean sweepDue = new AtomicBoolean();
    private final int limit;
    private final long maxBytes;
    private final long timeoutNanos;
    private final CountersListener listener;
    private final Timers timers;
    private volatile boolean closed;

    /**
     * @param limit the maximum number of pending requests
     * @param maxBytes the maximum size of all pending requests together, in bytes
     * @param timeout the time that each request may take
     * @param listener the receiver of events
     * @param timers measures that time, and runs the callbacks of requests that are given up
     */
    public PendingRequests(int limit, long maxBytes, Duration timeout, CountersListener listener, Timers timers) {
        this.limit = limit;
        this.maxBytes = maxBytes;
        this.timeoutNanos = timeout.toNanos();
        this.listener = listener;
        this.timers = timers;
    }

    /** Runs a callback on a worker thread, soon, even if other callbacks block. */
    void execute(Runnable callback) {
        timers.executor().execute(callback);
    }

    /** Runs a callback on a worker thread after {@code nanos}, or soon after close. */
    void runAfter(long nanos, Runnable callback) {
        CompletableFuture<?> unused =
                timers.after(nanos).whenCompleteAsync((due, closed) -> callback.run(), timers.executor());
    }

    /** Returns the receiver of events. */
    public CountersListener listener() {
        return listener;
    }

    public boolean hasListener() {
        return listener != CountersListener.disabled();
    }

    /** Returns the time that a request may take. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    /**
     * Checks that requests are accepted.
     *
     * @throws IllegalStateException after close
     */
    public void checkOpen() {
        if (closed) {
            throw new IllegalStateException("these counters are closed");
        }
    }

    /**
     * Accepts a request, or returns false after refusing it with a {@link QueueFullException}.
     *
     * @throws IllegalStateException after close
     */
    public boolean tryAdmit(PendingRequest<?> request) {
        checkOpen();
        int number = count.incrementAndGet();
        if (bytes.addAndGet(request.bytes()) > maxBytes || number > limit) {
            release(request);
            listener.onQueueFull(request.what());
            request.settle(null, queueFull(request.what()));
            return false;
        }
        requests.add(request);
        if (closed) {
            request.giveUp("the counters were closed", null);
            checkOpen();
        }
        sweepAfter(timeoutNanos);
        return true;
    }

    private void release(PendingRequest<?> request) {
        count.decrementAndGet();
        bytes.addAndGet(-request.bytes());
    }

    private QueueFullException queueFull(String what) {
        return new QueueFullException(what + ": " + count.get() + " requests are waiting for the store, with "
                + bytes.get() + " bytes; at most " + limit + " may wait, with " + maxBytes
                + " bytes: slow down, or raise queueLimit or queueBytes if there is memory");
    }

    /** Frees the room of a request before it is reported, since its caller may send the next one immediately. */
    void freeRoomOf(PendingRequest<?> request) {
        if (requests.contains(request)) {
            release(request);
        }
    }

    /** Removes a request that was reported. Close waits until all are removed. */
    void remove(PendingRequest<?> request) {
        requests.remove(request);
        if (closed) {
            wakeDrain();
        }
    }

    private synchronized void wakeDrain() {
        notifyAll();
    }

    /** Schedules a sweep unless one is due. */
    private void sweepAfter(long nanos) {
        if (!sweepDue.get() && sweepDue.compareAndSet(false, true)) {
            CompletableFuture<?> unused = timers.after(nanos).thenRun(this::sweep);
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        long next = Long.MAX_VALUE;
        for (PendingRequest<?> request : requests) {
            long left = request.deadline() - now;
            if (left <= 0) {
                IdempotencyToken unused = giveUp(request, "the deadline passed");
            } else {
                next = Math.min(next, left);
            }
        }
        if (next != Long.MAX_VALUE) { // requests that were admitted meanwhile have later deadlines
            CompletableFuture<?> unused = timers.after(next).thenRun(this::sweep);
            return;
        }
        sweepDue.set(false);
        if (!requests.isEmpty()) {
            sweepAfter(timeoutNanos);
        }
    }

    /**
     * Gives a request up, and returns the token that was handed out, or null. If that fails, for example because no token
     * can be generated, the request fails with the reason.
     */
    private static @Nullable IdempotencyToken giveUp(PendingRequest<?> request, String why) {
        try {
            return request.giveUp(why, null);
        } catch (RuntimeException | Error e) {
            request.settle(null, e);
            return null;
        }
    }

    /** Refuses all later requests. Returns false if they were refused already. */
    public synchronized boolean tryClose() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /**
     * Waits until every request is answered or {@code timeout} has passed, gives up the rest, and waits until their
     * callers are notified.
     *
     * @return the tokens of the changes that were in flight
     */
    public List<IdempotencyToken> drain(Duration timeout) {
        awaitAll(timeout);
        List<IdempotencyToken> unknown = giveUpAll(); // without the lock, which requests take when they are removed
        awaitAll(timeout);
        return unknown;
    }

    private synchronized void awaitAll(Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            for (long left = timeout.toNanos(); left > 0 && !isAllReported(); left = end - System.nanoTime()) {
                wait(Math.min(left / 1_000_000 + 1, POLL_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ignores running callbacks: one of them may be the caller of close. */
    private boolean isAllReported() {
        return requests.stream().allMatch(PendingRequest::isReported);
    }

    private List<IdempotencyToken> giveUpAll() {
        List<IdempotencyToken> unknown = new ArrayList<>();
        for (PendingRequest<?> request : requests) {
            IdempotencyToken token = giveUp(request, "the counters were closed");
            if (token != null) {
                unknown.add(token);
            }
        }
        return unknown;
    }
}
