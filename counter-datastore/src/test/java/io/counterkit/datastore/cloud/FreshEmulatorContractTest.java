package io.counterkit.datastore.cloud;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;

/** The contract on the Datastore emulator in legacy mode: entity groups, optimistic transactions, fresh queries. */
class FreshEmulatorContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return SharedEmulator.store();
    }
}
