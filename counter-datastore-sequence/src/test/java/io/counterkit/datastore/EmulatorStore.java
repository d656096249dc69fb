package io.counterkit.datastore;

import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import java.time.Duration;

/** An emulator of the Datastore over HTTP, through the API's remote configuration. */
public final class EmulatorStore implements BackendFixture, FaultInjector {
    private static final DatastoreProxy PROXY = DatastoreProxy.forRemoteApi();

    private final ArmedFaults faults = new ArmedFaults(PROXY::disturb, PROXY::release);

    private EmulatorStore() {}

    public static EmulatorStore at(String hostAndPort) {
        PROXY.to(hostAndPort);
        return new EmulatorStore();
    }

    static DatastoreProxy proxy() {
        return PROXY;
    }

    @Override
    public CounterBackend connect() {
        return DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults());
    }

    @Override
    public FaultInjector faults() {
        return this;
    }

    @Override
    public Duration lag() {
        return Duration.ofSeconds(10);
    }

    /** On the emulator that locks, each contention takes two seconds. */
    @Override
    public Duration deadline() {
        return Duration.ofMinutes(1);
    }

    @Override
    public InjectedFault inject(StoreFault fault, int call) {
        return faults.arm(
                fault, call, call % 2 == 0 ? Disturbance.StoreError.CONTENTION : Disturbance.StoreError.RPC_FAILED);
    }

    @Override
    public void close() {
        PROXY.release();
    }
}
