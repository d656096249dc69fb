package io.counterkit.migration;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The contract where every other name moves, each request at once and alone. */
class HalfContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new MigrationFixture(50, BatchLimits.none());
    }
}
