package io.counterkit.inmemory;

import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import java.time.Duration;

/** Creates a store in memory for each test. */
final class InMemoryFixture implements BackendFixture, FaultInjector {
    private final InMemoryStore store;

    InMemoryFixture(BatchLimits batches) {
        store = InMemoryStore.create(InMemoryOptions.builder().batches(batches).build());
    }

    /** Returns zero: listings are strong. */
    @Override
    public Duration lag() {
        return Duration.ZERO;
    }

    @Override
    public CounterBackend connect() {
        return InMemoryBackend.over(store);
    }

    @Override
    public FaultInjector faults() {
        return this;
    }

    @Override
    public InjectedFault inject(StoreFault fault, int call) {
        Injection injection = store.faults()
                .inject(
                        switch (fault) {
                            case FAIL_BEFORE -> Fault.FAIL;
                            case LOSE_REPLY -> Fault.LOSE_REPLY;
                            case HOLD -> Fault.HOLD;
                        },
                        Calls.next().skipping(call - 1));
        return new InjectedFault() {
            @Override
            public boolean isHit() {
                return injection.hits() > 0;
            }

            @Override
            public void close() {
                injection.release();
            }
        };
    }

    @Override
    public void close() {
        store.faults().clear();
    }
}
