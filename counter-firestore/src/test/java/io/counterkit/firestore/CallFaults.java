package io.counterkit.firestore;

import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Injects faults into the RPCs between Firestore's client and the store, below the client's own retries: each attempt that
 * reaches a channel is a call. One instance may serve the channels of several clients, and counts their calls together.
 * Thread-safe.
 */
public final class CallFaults implements ClientInterceptor, FaultInjector {
    private final List<CallFault> armed = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();

    /** Injects a fault that the client receives as {@code UNAVAILABLE}, like a broken connection. */
    @Override
    public CallFault inject(StoreFault fault, int call) {
        return inject(fault, call, Status.Code.UNAVAILABLE);
    }

    /** Injects a fault that the client receives as {@code shown}. */
    CallFault inject(StoreFault fault, int call, Status.Code shown) {
        if (call < 1) {
            throw new IllegalArgumentException("call " + call + ": calls are counted from 1");
        }
        Status status = shown.toStatus().withDescription(fault + " injected by a test");
        CallFault injected = new CallFault(fault, status, call, this::disarm);
        synchronized (this) {
            armed.add(injected);
        }
        return injected;
    }

    /** Returns the methods called so far, in order. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        // A listener's stream has no single reply to lose. A rollback may come late, when a fault for another operation
        // is armed.
        boolean isCounted = method.getType().clientSendsOneMessage() && !"Rollback".equals(method.getBareMethodName());
        CallFault met = isCounted ? count(method.getBareMethodName()) : null;
        return met == null ? next.newCall(method, options) : new DisturbedCall<>(met, method, options, next);
    }

    private synchronized @Nullable CallFault count(@Nullable String method) {
        calls.add(String.valueOf(method));
        CallFault met = null;
        for (Iterator<CallFault> faults = armed.iterator(); faults.hasNext(); ) {
            CallFault fault = faults.next();
            // Of two faults for the same call, the second hits the next one.
            if (fault.isDue() && met == null) {
                met = fault;
                faults.remove();
                fault.meet();
            } else {
                fault.countDown();
            }
        }
        return met;
    }

    private synchronized void disarm(CallFault fault) {
        armed.remove(fault);
    }
}
