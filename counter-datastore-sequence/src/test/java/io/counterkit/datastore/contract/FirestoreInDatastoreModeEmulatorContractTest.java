package io.counterkit.datastore.contract;

import io.counterkit.datastore.fixture.DatastoreEmulator;

/**
 * The contract over HTTP on the Datastore emulator, which has a Firestore in Datastore mode of its own: optimistic
 * transactions, strong queries.
 */
class FirestoreInDatastoreModeEmulatorContractTest extends EmulatorContract {
    @Override
    Emulator start() throws Exception {
        DatastoreEmulator emulator = DatastoreEmulator.start("--testing", "--firestore_in_datastore_mode");
        return new Emulator(emulator.hostAndPort(), emulator::close);
    }
}
