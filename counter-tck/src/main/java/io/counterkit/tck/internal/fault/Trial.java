package io.counterkit.tck.internal.fault;

import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;

/** One run of an operation with a fault at one of its calls to the store. */
public final class Trial {
    private final String label;
    private final InjectedFault injected;

    public Trial(StoreFault fault, int call, InjectedFault injected) {
        this.label = fault + " at call " + call;
        this.injected = injected;
    }

    /** Returns whether the operation made the call with the fault. */
    public boolean isHit() {
        return injected.isHit();
    }

    /** Ends the fault, so that it hits no later call. A held call is carried out. */
    public void end() {
        injected.close();
    }

    /** Ends the fault if it has hit no call yet, so that it does not hit a call of what checks the operation. */
    public void endUnlessHit() {
        if (!isHit()) {
            end();
        }
    }

    /** Returns the description of this trial with the reported outcome. */
    public String reported(boolean applied) {
        return label + (applied ? ", reported as applied" : ", reported as not applied");
    }

    @Override
    public String toString() {
        return label;
    }
}
