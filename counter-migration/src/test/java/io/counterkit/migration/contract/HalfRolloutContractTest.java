package io.counterkit.migration.contract;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

/** The contract at 50 %, with each request sent at once and alone. */
@Tag("exhaustive")
class HalfRolloutContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new MigrationFixture(50, BatchLimits.none());
    }
}
