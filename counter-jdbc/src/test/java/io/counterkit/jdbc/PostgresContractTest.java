package io.counterkit.jdbc;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

@Tag("contract")
class PostgresContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return PostgresFixture.pooled();
    }
}
