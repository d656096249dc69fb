package io.counterkit.migration.contract;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

/** The contract at 0 %: every name is at the source. */
@Tag("exhaustive")
class ZeroRolloutContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new MigrationFixture(0);
    }
}
