package io.counterkit.datastore.contract;

import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.fixture.LocalStore;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

/**
 * The contract on App Engine's local Datastore with queries that are always stale (100 % unapplied jobs): probing finds
 * what the query misses.
 */
@Tag("nightly")
class StaleStoreContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return LocalStore.stale(DatastoreSequenceOptions.defaults());
    }
}
