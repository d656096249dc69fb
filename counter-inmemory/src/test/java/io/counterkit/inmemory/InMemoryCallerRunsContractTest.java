package io.counterkit.inmemory;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

/** The contract with batches on the thread of one waiting caller, as on App Engine. */
@Tag("exhaustive")
class InMemoryCallerRunsContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new InMemoryFixture(BatchLimits.ofWeight(20).withOnePerName().withCallerRuns());
    }
}
