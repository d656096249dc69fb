package io.counterkit.datastore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import io.counterkit.tck.Prerequisite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract over HTTP on the Datastore emulator: the emulator's own kind of Firestore in Datastore mode: optimistic transactions, strong queries. */
@Tag("emulator")
class FirestoreInDatastoreModeEmulatorContractTest extends CounterBackendContract {
    private static DatastoreEmulator emulator;

    @BeforeAll
    static void startEmulator() {
        emulator = Prerequisite.required(() -> DatastoreEmulator.start("--testing", "--firestore_in_datastore_mode"));
    }

    @AfterAll
    static void stopEmulator() {
        emulator.close();
    }

    @Override
    protected BackendFixture createFixture() {
        return EmulatorStore.at(emulator.hostAndPort());
    }
}
