package io.counterkit.internal.batch;

import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request of one caller, from acceptance to reply. It waits, may be sent (several times), and ends once: settled by
 * the store's answer, or given up at its deadline, by an interrupt or by close. A request that is given up before it
 * was sent is not applied; otherwise its outcome is unknown, and the caller gets the token that covers it. Thread-safe.
 */
public class PendingRequest<R> {
    /**
     * The approximate size of a request without its texts: the object, its future, and its places in queue and batch.
     */
    private static final int OVERHEAD_BYTES = 512;

    private final String what;
    private final long bytes;
    private final PendingRequests pending;
    private final long deadline;
    private final CompletableFuture<R> reply = new CompletableFuture<>();

    private @Nullable Supplier<IdempotencyToken> cover;
    private @Nullable Call carrier;
    private boolean isSent;
    private boolean isInDoubt;
    private volatile boolean ended;

    /** Whether another request, which continues this one, takes its room. */
    private boolean isRoomFree;

    /** Whether a caller holds the future, so that callbacks may depend on it. */
    private boolean isHandedOut;

    /** The caller if its thread blocks on this request; null for an asynchronous one. */
    private volatile @Nullable BlockedCaller caller;

    private Runnable lead = () -> {};

    /**
     * Creates a request that is not sent yet.
     *
     * @param what the operation and its object, for messages: "add 5 to 'likes'"
     * @param more the bytes that the request takes besides {@code what}: see {@link #bytesOf}
     */
    public PendingRequest(String what, long more, PendingRequests pending) {
        this.what = what;
        this.bytes = OVERHEAD_BYTES + bytesOf(what) + more;
        this.pending = pending;
        this.deadline = System.nanoTime() + pending.timeoutNanos();
    }

    /** Returns the maximum size of a text in memory, 2 bytes per character; 0 for null. */
    public static long bytesOf(@Nullable String text) {
        return text == null ? 0 : 2L * text.length();
    }

    /** Returns the bytes that this request takes in the queue. */
    final long bytes() {
        return bytes;
    }

    /** Returns the operation and its object, for messages. */
    public final String what() {
        return what;
    }

    /** Returns when this request is given up, on the scale of {@link System#nanoTime()}. */
    final long deadline() {
        return deadline;
    }

    /** Returns the caller's future. Cancelling it withdraws a request that is not sent. */
    public final synchronized CompletableFuture<R> reply() {
        isHandedOut = true;
        return reply;
    }

    /** Returns whether the request has ended or its caller has cancelled it. */
    final boolean isDone() {
        return ended || reply.isDone();
    }

    /** Returns whether the request was settled or given up; its future may be completed a little later. */
    final boolean isEnded() {
        return ended;
    }

    /**
     * Returns whether the request has ended and its future is complete. Takes no lock, since close calls it under
     * another.
     */
    final boolean isReported() {
        return ended && reply.isDone();
    }

    /** Sets the call that carries this request. Must be called before {@link #trySend}, which publishes it. */
    public final void setCarrier(Call call) {
        carrier = call;
    }

    /**
     * Marks the request as sent, or returns false if its caller has left.
     *
     * @param cover returns the token to hand out if the caller leaves before the answer; null for a read
     */
    public final synchronized boolean trySend(@Nullable Supplier<IdempotencyToken> cover) {
        if (isDone()) {
            return false;
        }
        this.cover = cover;
        isSent = true;
        return true;
    }

    /**
     * Prepares a sent request to be sent again; returns false if its caller has left.
     *
     * @param inDoubt whether it may have been applied. Only the store's answer can then state that it was not
     */
    final synchronized boolean tryTakeBack(boolean inDoubt) {
        isInDoubt |= inDoubt;
        if (!isInDoubt) {
            isSent = false;
            cover = null;
        }
        return !isDone();
    }

    /** Returns whether an earlier attempt may have been applied. */
    final synchronized boolean isInDoubt() {
        return isInDoubt;
    }

    /** Ends the request with the store's answer, unless it has ended. */
    public final void settle(@Nullable R value, @Nullable Throwable failure) {
        if (tryEnd()) {
            report(value, failure);
        }
    }

    private void report(@Nullable R value, @Nullable Throwable failure) {
        if (failure == null) {
            reply.complete(value);
        } else {
            reply.completeExceptionally(failure);
        }
        pending.remove(this);
        BlockedCaller blocked = caller;
        if (blocked != null) {
            blocked.wake();
        }
    }

    /**
     * Ends the request without the store's answer, unless it has ended. The callbacks of its future run on another
     * thread.
     *
     * @return the token that was handed out, or null
     */
    final @Nullable IdempotencyToken giveUp(String why, @Nullable Throwable cause) {
        IdempotencyToken token;
        CounterException failure;
        synchronized (this) {
            if (ended) {
                return null;
            }
            token = isSent && cover != null ? cover.get() : null;
            Throwable reason = cause == null && isSent && carrier != null ? carrier.lastFailure() : cause;
            String problem = what + ": " + why + (isSent ? " before the store answered" : " before it was sent")
                    + (reason == null || reason == cause ? "" : "; its last failure: " + Reasons.inOneLine(reason));
            failure = token == null
                    ? new NotAppliedException(problem, reason)
                    : new OutcomeUnknownException(
                            problem + "; resolve token " + token + " to learn its outcome", token, reason);
            tryEnd();
            if (!isHandedOut) {
                report(null, failure); // there are no callbacks, so this does not block
                return token;
            }
        }
        pending.execute(() -> report(null, failure));
        return token;
    }

    /** Ends a request that is not sent and whose caller has cancelled it, so that it takes up no room. */
    final void drop() {
        boolean dropped;
        synchronized (this) {
            dropped = (!isSent || isInDoubt) && reply.isDone() && tryEnd();
        }
        if (dropped) {
            pending.remove(this);
        }
    }

    private synchronized boolean tryEnd() {
        if (ended) {
            return false;
        }
        ended = true;
        freeRoom();
        return true;
    }

    /** Frees the room of this request, before its end, for another request that continues it. */
    public final synchronized void freeRoom() {
        if (!isRoomFree) {
            isRoomFree = true;
            pending.freeRoomOf(this);
        }
    }

    /** Registers the calling thread, which will block on this request. Must be called before the request is submitted. */
    final void registerCaller() {
        caller = new BlockedCaller(this);
    }

    /** Sets the action of the blocked thread when it gets the lead. Must be called before the thread blocks. */
    final void onLead(Runnable lead) {
        this.lead = lead;
    }

    /** Leads for others on the calling thread, which has got the lead. */
    final void lead() {
        lead.run();
    }

    /** Hands the lead to the thread that blocks on this request; returns false if there is none or it is leaving. */
    final boolean offerLead() {
        BlockedCaller blocked = caller;
        return blocked != null && blocked.offerLead();
    }

    /**
     * Blocks until the request has ended, leading for others meanwhile. Gives it up at the deadline or when the thread
     * is interrupted, and then restores the interrupt flag.
     */
    public final R await() {
        if (caller == null && !reply.isDone()) {
            registerCaller();
        }
        BlockedCaller blocked = caller;
        if (blocked != null) {
            blocked.await();
        }
        return Futures.join(reply);
    }

    /** Gives the request up if its caller blocks; the interrupt of a thread does not concern an asynchronous caller. */
    final void giveUpInterrupted() {
        if (caller != null) {
            giveUp("the caller was interrupted", new InterruptedException());
        }
    }
}
