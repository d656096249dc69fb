package io.counterkit.datastore.contract;

import io.counterkit.firestore.emulator.DatabaseMode;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;

/**
 * The contract over HTTP on the Firestore emulator in Datastore mode: pessimistic transactions, which lock what they
 * read.
 */
class PessimisticEmulatorContractTest extends EmulatorContract {
    @Override
    Emulator start() throws Exception {
        FirestoreEmulator emulator = FirestoreEmulator.start(EmulatorOptions.builder()
                .databaseMode(DatabaseMode.DATASTORE_MODE)
                .build());
        return new Emulator(emulator.hostAndPort(), emulator::close);
    }
}
