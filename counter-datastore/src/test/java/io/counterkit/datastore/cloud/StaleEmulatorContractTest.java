package io.counterkit.datastore.cloud;

class StaleEmulatorContractTest extends EmulatorContract {
    StaleEmulatorContractTest() {
        super(Emulator.STALE);
    }
}
