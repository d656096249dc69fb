package io.counterkit.datastore;

import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** An emulator of the Datastore over HTTP, through the API's remote configuration. */
final class EmulatorStore implements BackendFixture, FaultInjector {
    private static final DatastoreProxy PROXY = DatastoreProxy.start();

    private EmulatorStore() {}

    static EmulatorStore at(String hostAndPort) {
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

    @Override
    public InjectedFault inject(StoreFault fault, int call) {
        AtomicInteger left = new AtomicInteger(call);
        AtomicBoolean hit = new AtomicBoolean();
        Disturbance.Told told = call % 2 == 0 ? Disturbance.Told.CONTENTION : Disturbance.Told.RPC_FAILED;
        PROXY.disturb(method -> {
            if (left.decrementAndGet() != 0) {
                return null;
            }
            hit.set(true);
            return switch (fault) {
                case FAIL_BEFORE -> Disturbance.failBefore(told);
                case LOSE_REPLY -> Disturbance.loseReply(told);
                case HOLD -> Disturbance.hold();
            };
        });
        return new InjectedFault() {
            @Override
            public boolean isHit() {
                return hit.get();
            }

            @Override
            public void close() {
                PROXY.release();
            }
        };
    }

    @Override
    public void close() {
        PROXY.release();
    }
}
