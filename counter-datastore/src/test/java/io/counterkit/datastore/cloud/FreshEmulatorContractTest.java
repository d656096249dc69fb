package io.counterkit.datastore.cloud;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

/**
 * The contract on the Datastore emulator in legacy mode: entity groups, optimistic transactions, fresh queries. Its sweeps
 * take minutes, since each lost reply waits for the time-out of its call; {@link FreshEmulatorTest} has what is fast.
 */
@Tag("exhaustive")
class FreshEmulatorContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return SharedEmulator.store();
    }
}
