package io.counterkit.tck;

/**
 * Lets faults happen to calls on their way to the store. A call is what the store knows as one: an RPC, a request. It is
 * to be disturbed below the backend under test, where its own client would meet the trouble, so that its handling of it
 * is what is tested.
 */
public interface FaultInjector {
    /**
     * Lets {@code fault} happen to one call. Several may be waiting: of those for the same call, the next one happens to
     * the call after it.
     *
     * @param call which one: 1 is the next call that any connected backend makes, 2 the one after that
     */
    InjectedFault inject(StoreFault fault, int call);

    /** A fault that waits for its call or has met it. */
    interface InjectedFault extends AutoCloseable {
        /** Whether the call came. */
        boolean isHit();

        /** Ends the fault. A held call is carried out before this returns, whether anybody still waits for it or not. */
        @Override
        void close();
    }
}
