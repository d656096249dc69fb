package io.counterkit.inmemory;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The contract with a batch for each counter, as on the Datastore. */
class InMemoryOnePerNameContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new InMemoryFixture(BatchLimits.ofWeight(20).withOnePerName());
    }
}
