package io.counterkit.tck;

import io.counterkit.tck.FaultInjector.InjectedFault;

/** One run of an operation with a fault at one of its calls to the store. */
final class Trial {
    private final String label;
    private final InjectedFault injected;

    Trial(StoreFault fault, int call, InjectedFault injected) {
        this.label = fault + " at call " + call;
        this.injected = injected;
    }

    /** Whether the operation made that many calls. */
    boolean isHit() {
        return injected.isHit();
    }

    /** Ends the fault, so that what follows is not disturbed; a held call is carried out. */
    void end() {
        injected.close();
    }

    /** The same, with what its caller was told in the end. */
    String reported(boolean applied) {
        return label + (applied ? ", reported as applied" : ", reported as not applied");
    }

    @Override
    public String toString() {
        return label;
    }
}
