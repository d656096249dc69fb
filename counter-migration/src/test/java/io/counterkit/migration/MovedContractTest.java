package io.counterkit.migration;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The contract at 100 %, where every name moves before its first change. */
class MovedContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new MigrationFixture(100);
    }
}
