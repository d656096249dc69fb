package io.counterkit.datastore.cloud;

import io.counterkit.datastore.DatastoreEmulator;
import java.time.Duration;

/** The contract on the Datastore emulator in legacy mode, with queries that lag at random and without defined indexes. */
class StaleEmulatorContractTest extends EmulatorContract {
    @Override
    Emulator start() throws Exception {
        DatastoreEmulator emulator =
                DatastoreEmulator.start("--store_on_disk=false", "--consistency=0.5", "--require_indexes");
        return new Emulator(emulator.hostAndPort(), Duration.ofSeconds(10), emulator::close);
    }
}
