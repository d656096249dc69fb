package io.counterkit.datastore.contract;

import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.fixture.LocalStore;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract on App Engine's local Datastore that is written to disk and restarted from there whenever a process
 * connects, with queries for the newest number that fail, so that tails are probed.
 */
@Tag("nightly")
class StoreOnDiskContractTest extends CounterBackendContract {
    @TempDir
    Path directory;

    @Override
    protected BackendFixture createFixture() {
        return LocalStore.onDisk(directory.resolve(UUID.randomUUID() + ".bin"), DatastoreSequenceOptions.defaults());
    }
}
