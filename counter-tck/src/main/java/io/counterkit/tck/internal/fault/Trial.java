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

    /** Whether the operation made that many calls. */
    public boolean isHit() {
        return injected.isHit();
    }

    /** Ends the fault, so that what follows is not disturbed; a held call is carried out. */
    public void end() {
        injected.close();
    }

    /** The same, with what its caller was told in the end. */
    public String reported(boolean applied) {
        return label + (applied ? ", reported as applied" : ", reported as not applied");
    }

    @Override
    public String toString() {
        return label;
    }
}
