package io.counterkit.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The pending faults of a fixture whose calls to the store block. Call {@link #next} before each call to the store, and
 * apply the fault that it returns to that call. Thread-safe.
 */
public final class FaultQueue implements FaultInjector {
    private final List<PendingFault> pending = new ArrayList<>();
    private final Duration patience;

    /** Creates an empty queue. */
    public FaultQueue() {
        this(Duration.ofSeconds(20));
    }

    /**
     * @param patience how long to wait until a call that was hit by {@link StoreFault#HOLD} is passed to {@code hold}
     */
    FaultQueue(Duration patience) {
        this.patience = patience;
    }

    /** Counts a call for each pending fault, and returns the first fault that is due; null if there is none. */
    public synchronized @Nullable PendingFault next() {
        PendingFault hit = null;
        for (PendingFault fault : pending) {
            fault.callsLeft--;
            if (hit == null && fault.callsLeft <= 0) {
                hit = fault;
                fault.isHit = true;
            }
        }
        pending.remove(hit);
        return hit;
    }

    @Override
    public synchronized InjectedFault inject(StoreFault fault, int call) {
        PendingFault injected = new PendingFault(fault, call);
        pending.add(injected);
        return injected;
    }

    /** A call to the store. */
    @FunctionalInterface
    public interface BlockingCall<T extends @Nullable Object, X extends Throwable> {
        T run() throws X;
    }

    /** A fault that was injected into a call. */
    public final class PendingFault implements InjectedFault {
        private final StoreFault fault;
        private final CountDownLatch isHeld = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);
        private final CountDownLatch isCarriedOut = new CountDownLatch(1);
        private volatile boolean isMade;
        private int callsLeft;
        private boolean isHit;

        private PendingFault(StoreFault fault, int call) {
            this.fault = fault;
            this.callsLeft = call;
        }

        /** Returns the kind of the fault. */
        public StoreFault fault() {
            return fault;
        }

        /** Waits for the end of a {@link StoreFault#HOLD}, and then makes the call that it has hit. */
        public <T extends @Nullable Object, X extends Throwable> T hold(BlockingCall<T, X> call)
                throws X, InterruptedException {
            isHeld.countDown();
            try {
                ended.await();
                isMade = true;
                return call.run();
            } finally {
                isCarriedOut.countDown();
            }
        }

        @Override
        public boolean isHit() {
            synchronized (FaultQueue.this) {
                return isHit;
            }
        }

        /**
         * Ends the fault, and waits until a held call is carried out.
         *
         * @throws IllegalStateException if the call that a {@link StoreFault#HOLD} has hit was not passed to
         *     {@link #hold}, or its thread was interrupted
         */
        @Override
        public void close() {
            synchronized (FaultQueue.this) {
                pending.remove(this);
            }
            ended.countDown();
            if (fault == StoreFault.HOLD && isHit()) {
                try {
                    if (isHeld.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                        isCarriedOut.await();
                    }
                    if (!isMade) {
                        throw new IllegalStateException(
                                "a held call did not reach the store: the fixture has to pass it to"
                                        + " hold() even if its caller gives up, on a thread that is not interrupted");
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
