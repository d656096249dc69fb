package io.counterkit.tck;

/**
 * Injects faults into calls to the store. A call is one request in the store's own protocol, such as an RPC. An
 * implementation disturbs it below the backend under test, where real failures occur, so that the kit tests how the
 * backend handles them.
 */
public interface FaultInjector {
    /**
     * Injects {@code fault} into one call. Several faults may be pending: if two are for the same call, the later one
     * hits the call after it.
     *
     * @param call the number of the call: 1 is the next call of any connected backend, 2 the call after that
     */
    InjectedFault inject(StoreFault fault, int call);

    /** A fault that is pending or has hit its call. */
    interface InjectedFault extends AutoCloseable {
        /** Returns whether the fault has hit its call. */
        boolean isHit();

        /** Ends the fault. A held call is carried out before this method returns, even if its caller has given up. */
        @Override
        void close();
    }
}
