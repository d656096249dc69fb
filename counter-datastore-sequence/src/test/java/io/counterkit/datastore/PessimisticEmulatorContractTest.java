package io.counterkit.datastore;

import io.counterkit.firestore.emulator.DatabaseMode;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import io.counterkit.tck.Prerequisite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract over HTTP on the Firestore emulator in Datastore mode: pessimistic transactions, which lock. */
@Tag("emulator")
class PessimisticEmulatorContractTest extends CounterBackendContract {
    private static FirestoreEmulator emulator;

    @BeforeAll
    static void startEmulator() {
        emulator = Prerequisite.required(() -> FirestoreEmulator.start(EmulatorOptions.builder()
                .databaseMode(DatabaseMode.DATASTORE_MODE)
                .build()));
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
