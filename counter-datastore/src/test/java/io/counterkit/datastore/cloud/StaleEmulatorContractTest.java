package io.counterkit.datastore.cloud;

import org.junit.jupiter.api.Tag;

@Tag("nightly")
class StaleEmulatorContractTest extends EmulatorContract {
    StaleEmulatorContractTest() {
        super(Emulator.STALE);
    }
}
