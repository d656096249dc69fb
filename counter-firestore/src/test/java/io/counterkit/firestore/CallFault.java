package io.counterkit.firestore;

import io.counterkit.firestore.emulator.faults.InjectedFault;
import io.counterkit.tck.FaultInjector;

/** An injected fault as the contract kit uses it. */
public final class CallFault implements FaultInjector.InjectedFault {
    private final InjectedFault fault;

    CallFault(InjectedFault fault) {
        this.fault = fault;
    }

    @Override
    public boolean isHit() {
        return fault.isHit();
    }

    @Override
    public void close() {
        fault.close();
    }
}
