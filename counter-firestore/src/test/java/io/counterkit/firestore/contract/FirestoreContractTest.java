package io.counterkit.firestore.contract;

import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

/** The whole contract with default options, ten shards and a client that retries. */
@Tag("contract")
class FirestoreContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new FirestoreFixture();
    }
}
