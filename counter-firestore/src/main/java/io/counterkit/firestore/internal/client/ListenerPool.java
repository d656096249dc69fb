package io.counterkit.firestore.internal.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * Limits the number of a backend's listeners with permits. Keeps an unused listener for a while, since opening and
 * closing listeners costs the store more than keeping them, but ends it when another listener needs its permit.
 * Thread-safe.
 */
final class ListenerPool {
    /**
     * Each listener occupies one of the hundred calls that a channel carries; adds and reads need some too. Google
     * advises fewer than a hundred listeners per client. Counters and sequences beyond this number are polled.
     */
    private static final int MOST = 40;

    private final Semaphore permits = new Semaphore(MOST);
    private final BackendTimers timers;
    private final Duration linger;

    /** The unused listeners, in the order in which they lost their last user. */
    private final Map<Object, Unused> unused = new LinkedHashMap<>();

    /** Whether a used listener got no permit when it last asked. */
    private volatile boolean isWanted;

    private long events;

    ListenerPool(BackendTimers timers, Duration linger) {
        this.timers = timers;
        this.linger = linger;
    }

    /** The number of the event at which a listener lost its last user, and the action that ends the listener. */
    private record Unused(long event, Runnable end) {}

    boolean tryAcquire() {
        boolean isAcquired = permits.tryAcquire();
        isWanted = !isAcquired;
        return isAcquired;
    }

    void release() {
        permits.release();
    }

    /** Ends the listeners that were unused longest, until a permit is available. */
    synchronized void makeRoom() {
        while (permits.availablePermits() == 0 && !unused.isEmpty()) {
            Map.Entry<Object, Unused> oldest = unused.entrySet().iterator().next();
            end(oldest.getKey(), oldest.getValue());
        }
    }

    synchronized void setUsed(Object listener) {
        unused.remove(listener);
    }

    /** Keeps a listener for a while, unless another needs its permit. {@code end} runs under the lock of this pool. */
    synchronized void setUnused(Object listener, Runnable end) {
        if (isWanted) {
            end.run();
            return;
        }
        Unused since = new Unused(++events, end);
        unused.put(listener, since);
        CompletableFuture<?> unusedTimer = timers.runAfter(linger.toNanos(), () -> end(listener, since));
    }

    private synchronized void end(Object listener, Unused since) {
        if (unused.remove(listener, since)) {
            since.end().run();
        }
    }
}
