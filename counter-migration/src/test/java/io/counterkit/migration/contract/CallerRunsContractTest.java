package io.counterkit.migration.contract;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

/** The contract at 50 %, with every call made on the caller's thread, as on App Engine. */
@Tag("exhaustive")
class CallerRunsContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new MigrationFixture(
                50, BatchLimits.ofWeight(20).withOnePerName().withCallerRuns());
    }
}
