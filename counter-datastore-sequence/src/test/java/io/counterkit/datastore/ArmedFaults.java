package io.counterkit.datastore;

import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The faults that wait for their calls. If two wait for the same call, the second one takes the call after it. */
public final class ArmedFaults {
    private final Consumer<DisturbedDelegate.Rule> disturb;
    private final Runnable release;
    private final List<Armed> armed = new ArrayList<>();

    /**
     * Creates an empty set of faults.
     *
     * @param disturb sets the rule for each call from now on
     * @param release removes the rule, and releases all held calls
     */
    public ArmedFaults(Consumer<DisturbedDelegate.Rule> disturb, Runnable release) {
        this.disturb = disturb;
        this.release = release;
    }

    /** Adds a fault of a call. */
    public InjectedFault arm(StoreFault fault, int call, Disturbance.StoreError error) {
        return arm(fault, call, () -> error);
    }

    /**
     * Adds a fault of a call.
     *
     * @param error returns the error when the call is made
     */
    public synchronized InjectedFault arm(StoreFault fault, int call, Supplier<Disturbance.StoreError> error) {
        Armed added = new Armed(fault, call, error);
        armed.add(added);
        disturb.accept(method -> next());
        return added;
    }

    private synchronized @Nullable Disturbance next() {
        Disturbance met = null;
        for (Armed each : armed) {
            each.left--;
            if (met == null && each.left <= 0 && !each.hit) {
                each.hit = true;
                met = each.disturbance();
            }
        }
        return met;
    }

    private synchronized boolean isHit(Armed fault) {
        return fault.hit;
    }

    private void end(Armed fault) {
        synchronized (this) {
            armed.remove(fault);
        }
        release.run(); // not under the lock, which a held call may wait for
        synchronized (this) {
            if (!armed.isEmpty()) {
                disturb.accept(method -> next());
            }
        }
    }

    private final class Armed implements InjectedFault {
        private final StoreFault fault;
        private final Supplier<Disturbance.StoreError> error;
        private int left;
        private boolean hit;

        Armed(StoreFault fault, int call, Supplier<Disturbance.StoreError> error) {
            this.fault = fault;
            this.left = call;
            this.error = error;
        }

        Disturbance disturbance() {
            return switch (fault) {
                case FAIL_BEFORE -> Disturbance.failBefore(error.get());
                case LOSE_REPLY -> Disturbance.loseReply(error.get());
                case HOLD -> Disturbance.hold();
            };
        }

        @Override
        public boolean isHit() {
            return ArmedFaults.this.isHit(this);
        }

        @Override
        public void close() {
            end(this);
        }
    }
}
