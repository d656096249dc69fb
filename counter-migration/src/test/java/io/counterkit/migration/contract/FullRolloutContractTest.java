package io.counterkit.migration.contract;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

/** The contract at 100 %: every name moves before its first change. */
@Tag("exhaustive")
class FullRolloutContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new MigrationFixture(100);
    }
}
