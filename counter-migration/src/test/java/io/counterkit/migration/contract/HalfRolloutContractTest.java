package io.counterkit.migration.contract;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The contract at 50 %, with each request sent at once and alone. */
class HalfRolloutContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new MigrationFixture(50, BatchLimits.none());
    }
}
