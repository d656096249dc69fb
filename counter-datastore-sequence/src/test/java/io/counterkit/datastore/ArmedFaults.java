package io.counterkit.datastore;

import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The faults that wait for their calls. Of those for the same call, the next one happens to the call after it. */
final class ArmedFaults {
    private final Consumer<DisturbedDelegate.Rule> disturb;
    private final Runnable release;
    private final List<Armed> armed = new ArrayList<>();

    /**
     * Creates it without any.
     *
     * @param disturb from now on asks for each call what happens to it
     * @param release stops that, and lets all held calls go
     */
    ArmedFaults(Consumer<DisturbedDelegate.Rule> disturb, Runnable release) {
        this.disturb = disturb;
        this.release = release;
    }

    synchronized InjectedFault arm(StoreFault fault, int call, Disturbance.Told told) {
        Armed added = new Armed(fault, call, told);
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
        release.run(); // not under the lock: whoever is held may be waiting for it
        synchronized (this) {
            if (!armed.isEmpty()) {
                disturb.accept(method -> next());
            }
        }
    }

    private final class Armed implements InjectedFault {
        private final StoreFault fault;
        private final Disturbance.Told told;
        private int left;
        private boolean hit;

        Armed(StoreFault fault, int call, Disturbance.Told told) {
            this.fault = fault;
            this.left = call;
            this.told = told;
        }

        Disturbance disturbance() {
            return switch (fault) {
                case FAIL_BEFORE -> Disturbance.failBefore(told);
                case LOSE_REPLY -> Disturbance.loseReply(told);
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
