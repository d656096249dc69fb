package io.counterkit.datastore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/**
 * The contract on App Engine's local Datastore with queries that are always stale (100 % unapplied jobs), for a backend
 * that follows a chain by the article's way alone: from what the query gives, entry by entry.
 */
class StaleStoreContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return LocalStore.stale(DatastoreSequenceOptions.builder()
                .tailStrategy(TailStrategy.QUERY)
                .build());
    }
}
