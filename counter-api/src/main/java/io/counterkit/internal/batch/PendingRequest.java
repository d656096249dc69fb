package io.counterkit.internal.batch;

import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One caller's request from acceptance to reply. It waits, may be sent (and sent again), and ends once: settled by the
 * store's answer, or given up by its deadline, an interrupt or close. What giving up means depends on whether the
 * request was sent: if not, it is withdrawn and surely not applied; if it was, its outcome is unknown and the token
 * that covers it is handed out. The future of an asynchronous caller that is given up completes on a thread of ours: what its callbacks do
 * there holds up no other.
 */
public class PendingRequest<R> {
    /** About what one request takes without its texts: itself, its future, and its places in queue and batch. */
    private static final int OVERHEAD_BYTES = 512;

    private static final long SHORT_NANOS = 1_000_000;

    private final String what;
    private final long bytes;
    private final PendingRequests outstanding;
    private final long deadline;
    private final CompletableFuture<R> reply = new CompletableFuture<>();

    private @Nullable Supplier<IdempotencyToken> cover;
    private boolean sent;
    private volatile boolean ended;

    /** Whether a caller holds the future, so that callbacks may depend on it. */
    private boolean isHandedOut;

    /** The thread that blocks on this request and could lead for others; null for an asynchronous caller. */
    private @Nullable Thread blocked;

    private boolean leads;
    private boolean isInDoubt;

    /**
     * Creates a waiter that was not sent yet.
     *
     * @param what the operation and its object, for messages: "add 5 to 'likes'"
     */
    public PendingRequest(String what, PendingRequests outstanding) {
        this(what, 0, outstanding);
    }

    /**
     * Creates a waiter that was not sent yet.
     *
     * @param more the bytes that the request takes besides {@code what}: see {@link #bytesOf}
     */
    public PendingRequest(String what, long more, PendingRequests outstanding) {
        this.what = what;
        this.bytes = OVERHEAD_BYTES + bytesOf(what) + more;
        this.outstanding = outstanding;
        this.deadline = System.nanoTime() + outstanding.timeoutNanos();
    }

    /** The most memory that a text takes: 2 bytes a character; 0 for none. */
    public static long bytesOf(@Nullable String text) {
        return text == null ? 0 : 2L * text.length();
    }

    /** The bytes that this request takes in the queue. */
    final long bytes() {
        return bytes;
    }

    /** The operation and its object, for messages. */
    String what() {
        return what;
    }

    /** When the caller's patience ends, on the scale of {@link System#nanoTime()}. */
    long deadline() {
        return deadline;
    }

    /** What the caller holds. It may be cancelled from outside, which withdraws a request that still waits. */
    public synchronized CompletableFuture<R> reply() {
        isHandedOut = true;
        return reply;
    }

    /** Whether it has ended, or its caller has cancelled it. */
    boolean isDone() {
        return ended || reply.isDone();
    }

    /**
     * Marks the request as sent, unless the caller has left.
     *
     * @param cover gives the token to hand out if the caller leaves before the answer; null where nothing is applied
     * @return whether it is to be sent
     */
    public synchronized boolean send(@Nullable Supplier<IdempotencyToken> cover) {
        if (ended || reply.isDone()) {
            return false;
        }
        this.cover = cover;
        sent = true;
        return true;
    }

    /**
     * Takes a sent request back that may have been applied, to send it again under the token of its caller; false if the
     * caller has left meanwhile. From now on only the store can tell that it was not applied.
     */
    synchronized boolean takeBackInDoubt() {
        isInDoubt = true;
        return !ended && !reply.isDone();
    }

    /** Whether an earlier attempt may have been applied. */
    synchronized boolean isInDoubt() {
        return isInDoubt;
    }

    /** Takes a sent request back that was surely not applied; false if the caller has left meanwhile. */
    synchronized boolean takeBack() {
        if (isInDoubt) {
            return takeBackInDoubt();
        }
        sent = false;
        cover = null;
        return !ended && !reply.isDone();
    }

    /** Ends with the store's answer, unless the caller has left. */
    public void settle(@Nullable R value, @Nullable Throwable failure) {
        if (!end()) {
            return;
        }
        tell(value, failure);
    }

    private void tell(@Nullable R value, @Nullable Throwable failure) {
        if (failure == null) {
            reply.complete(value);
        } else {
            reply.completeExceptionally(failure);
        }
        outstanding.forget(this);
        wake();
    }

    /** Ends without the store's answer, because of {@code why}; the token that was handed out, if one was. */
    @Nullable IdempotencyToken giveUp(String why, @Nullable Throwable cause) {
        IdempotencyToken token;
        CounterException failure;
        synchronized (this) {
            if (ended) {
                return null;
            }
            token = sent && cover != null ? cover.get() : null;
            String problem = what + ": " + why + (sent ? " before the store answered" : " before it was sent");
            failure = token == null
                    ? new NotAppliedException(problem, cause)
                    : new OutcomeUnknownException(
                            problem + "; token " + token + " tells what became of it", token, cause);
            end();
            if (!isHandedOut) {
                tell(null, failure); // no callback hangs on it, so this blocks nowhere
                return token;
            }
        }
        outstanding.execute(() -> tell(null, failure));
        return token;
    }

    /** Ends a request whose caller has cancelled it and that is not sent, so that it takes up no room. */
    void drop() {
        boolean dropped;
        synchronized (this) {
            dropped = (!sent || isInDoubt) && reply.isDone() && end();
        }
        if (dropped) {
            outstanding.forget(this);
        }
    }

    private synchronized boolean end() {
        if (ended) {
            return false;
        }
        ended = true;
        outstanding.makeRoomOf(this);
        return true;
    }

    /** Whether it has ended and the caller's future says so. Takes no lock: close asks under its own. */
    boolean isTold() {
        return ended && reply.isDone();
    }

    /** Says that the calling thread is going to block on this request. Before it is submitted. */
    synchronized void block() {
        blocked = Thread.currentThread();
    }

    /**
     * Blocks until the reply is there, the deadline has passed or the thread is interrupted, whose flag is then restored.
     *
     * @param lead what to do when the lead is handed to this thread, also if that is as it leaves
     */
    R await(Runnable lead) {
        block();
        boolean interrupted = false;
        while (!reply.isDone()) {
            if (takeLead()) {
                lead.run();
                continue;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                giveUp("the deadline passed", null);
            }
            if (!reply.isDone()) {
                LockSupport.parkNanos(this, Math.max(left, SHORT_NANOS)); // it has ended, and completes soon
            }
            if (Thread.interrupted()) {
                interrupted = true;
                stopBlocking();
            }
        }
        if (takeLead()) {
            lead.run();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return Failures.join(reply);
    }

    /** Gives up a caller that was interrupted; one that does not block does not wait either. */
    void stopBlocking() {
        boolean blocks;
        synchronized (this) {
            blocks = blocked != null;
        }
        if (blocks) {
            giveUp("the caller was interrupted", new InterruptedException());
        }
    }

    /** Blocks like the other one, where there is nothing to lead. */
    public R await() {
        return await(() -> {});
    }

    /** Hands the lead of a lane to the thread that blocks here; false if there is none or it is leaving. */
    synchronized boolean offerLead() {
        if (blocked == null || ended) {
            return false;
        }
        leads = true;
        LockSupport.unpark(blocked);
        return true;
    }

    /** Whether the lead was handed over; asking takes it. */
    synchronized boolean takeLead() {
        boolean lead = leads;
        leads = false;
        return lead;
    }

    private synchronized void wake() {
        if (blocked != null) {
            LockSupport.unpark(blocked);
        }
    }
}
