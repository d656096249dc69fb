package io.counterkit.datastore.cloud;

import io.counterkit.firestore.emulator.DatabaseMode;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.time.Duration;

/** The contract on the Firestore emulator in Datastore mode: pessimistic transactions, which lock what they read. */
class PessimisticEmulatorContractTest extends EmulatorContract {
    @Override
    Emulator start() {
        FirestoreEmulator emulator = FirestoreEmulator.start(EmulatorOptions.builder()
                .databaseMode(DatabaseMode.DATASTORE_MODE)
                .build());
        return new Emulator(emulator.hostAndPort(), Duration.ofSeconds(10), emulator::close);
    }
}
