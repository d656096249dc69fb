package io.counterkit.internal.batch;

import java.util.concurrent.locks.LockSupport;

/**
 * The thread of a caller that blocks until its request is reported. Meanwhile the lead can be handed to it: the thread
 * then sends the batches of others. Thread-safe.
 */
final class BlockedCaller {
    private static final long SHORT_NANOS = 1_000_000;

    private final PendingRequest<?> request;
    private final Thread thread = Thread.currentThread();
    private boolean leads;

    /** Creates the caller of a request, for the calling thread. */
    BlockedCaller(PendingRequest<?> request) {
        this.request = request;
    }

    /**
     * Blocks until the request is reported, leading for others meanwhile. Gives the request up at its deadline or when
     * the thread is interrupted, and then restores the interrupt flag.
     */
    void await() {
        boolean interrupted = false;
        while (!request.isReported()) {
            if (tryTakeLead()) {
                request.lead();
                continue;
            }
            long left = request.deadline() - System.nanoTime();
            if (left <= 0) {
                request.giveUp("the deadline passed", null);
            }
            if (!request.isReported()) { // a request that was given up is reported soon
                LockSupport.parkNanos(request, Math.max(left, SHORT_NANOS));
            }
            if (Thread.interrupted()) {
                interrupted = true;
                request.giveUpInterrupted();
            }
        }
        if (tryTakeLead()) {
            request.lead();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Hands the lead to this caller; returns false if its request has ended, since its thread may already have left.
     */
    synchronized boolean offerLead() {
        if (request.isEnded()) {
            return false;
        }
        leads = true;
        wake();
        return true;
    }

    /** Accepts the lead; returns false if it was not handed over. */
    synchronized boolean tryTakeLead() {
        boolean taken = leads;
        leads = false;
        return taken;
    }

    /** Lets the thread check whether its request is reported. */
    void wake() {
        LockSupport.unpark(thread);
    }
}
