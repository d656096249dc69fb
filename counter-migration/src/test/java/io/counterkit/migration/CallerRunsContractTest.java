package io.counterkit.migration;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The contract where everything is carried out on the caller's thread, as on App Engine, and every other name moves. */
class CallerRunsContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new MigrationFixture(
                50, BatchLimits.ofWeight(20).withOnePerName().withCallerRuns());
    }
}
