package io.counterkit.inmemory;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

/** The contract with a batch for each counter, as on the Datastore. */
@Tag("exhaustive")
class InMemoryOnePerNameContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new InMemoryFixture(BatchLimits.ofWeight(20).withOnePerName());
    }
}
