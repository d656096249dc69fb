package io.counterkit.inmemory;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The contract with each request sent at once and alone, as by default. */
class InMemoryDirectContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new InMemoryFixture(BatchLimits.none());
    }
}
