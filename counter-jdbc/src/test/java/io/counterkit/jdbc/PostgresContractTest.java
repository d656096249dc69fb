package io.counterkit.jdbc;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

class PostgresContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return PostgresFixture.pooled();
    }
}
