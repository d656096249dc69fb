package io.counterkit.datastore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The same store, for a backend as it is by default: probing takes over where the query is stale. */
class StaleStoreProbingContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return LocalStore.stale(DatastoreSequenceOptions.defaults());
    }
}
