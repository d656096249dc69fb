package io.counterkit.datastore.cloud;

import io.counterkit.datastore.DatastoreEmulator;
import java.time.Duration;

/** The contract on the Datastore emulator as a Firestore in Datastore mode: optimistic transactions, strong queries. */
class OptimisticEmulatorContractTest extends EmulatorContract {
    @Override
    Emulator start() throws Exception {
        DatastoreEmulator emulator = DatastoreEmulator.start("--testing", "--firestore_in_datastore_mode");
        return new Emulator(emulator.hostAndPort(), Duration.ofSeconds(10), emulator::close);
    }
}
