package io.counterkit.firestore;

import io.counterkit.firestore.emulator.faults.Fault;
import io.counterkit.firestore.emulator.faults.FirestoreFaults;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.List;

/** {@link FirestoreFaults} as the fault injector of the contract kit. Thread-safe. */
public final class CallFaults implements ClientInterceptor, FaultInjector {
    private final FirestoreFaults faults = new FirestoreFaults();

    /** Injects a fault that the client receives as {@code UNAVAILABLE}, like a broken connection. */
    @Override
    public CallFault inject(StoreFault fault, int call) {
        return inject(fault, call, Status.Code.UNAVAILABLE);
    }

    /** Injects a fault that the client receives as {@code shown}. */
    CallFault inject(StoreFault fault, int call, Status.Code shown) {
        Fault ofCall = switch (fault) {
            case FAIL_BEFORE -> Fault.FAIL;
            case LOSE_REPLY -> Fault.LOSE_REPLY;
            case HOLD -> Fault.HOLD;
        };
        return new CallFault(
                faults.inject(ofCall, call, shown.toStatus().withDescription(fault + " injected by a test")));
    }

    /** Returns the methods called so far, in order. */
    public List<String> calls() {
        return faults.calls();
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return faults.interceptCall(method, options, next);
    }
}
