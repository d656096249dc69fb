package io.counterkit.inmemory;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The contract with batches of waiting requests. */
class InMemoryCombinedContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new InMemoryFixture(BatchLimits.ofWeight(20).withInFlight(4));
    }
}
