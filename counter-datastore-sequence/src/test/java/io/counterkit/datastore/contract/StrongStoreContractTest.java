package io.counterkit.datastore.contract;

import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.fixture.LocalStore;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The contract on App Engine's local Datastore with strong queries. */
class StrongStoreContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return LocalStore.strong(DatastoreSequenceOptions.defaults());
    }
}
