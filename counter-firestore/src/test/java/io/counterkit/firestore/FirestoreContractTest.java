package io.counterkit.firestore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The whole contract, with ten shards and a client that retries, as by default. */
class FirestoreContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new FirestoreFixture();
    }
}
