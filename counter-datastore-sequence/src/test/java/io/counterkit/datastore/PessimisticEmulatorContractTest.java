package io.counterkit.datastore;

import io.counterkit.firestore.emulator.DatabaseMode;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import org.junit.jupiter.api.Tag;

/**
 * The contract over HTTP on the Firestore emulator in Datastore mode: pessimistic transactions, which lock, for so long that
 * it is not run with the others.
 */
@Tag("pessimistic")
class PessimisticEmulatorContractTest extends EmulatorContract {
    @Override
    Emulator start() throws Exception {
        FirestoreEmulator emulator = FirestoreEmulator.start(EmulatorOptions.builder()
                .databaseMode(DatabaseMode.DATASTORE_MODE)
                .build());
        return new Emulator(emulator.hostAndPort(), emulator::close);
    }
}
