package io.counterkit.datastore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a local Datastore that writes each commit to disk. */
@Tag("nightly")
class LocalDatastoreContractTest extends CounterBackendContract {
    @TempDir
    private Path directory;

    @Override
    protected BackendFixture createFixture() {
        return new LocalDatastoreFixture(directory);
    }
}
