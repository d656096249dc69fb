package io.counterkit.datastore.cloud;

class FreshEmulatorContractTest extends EmulatorContract {
    FreshEmulatorContractTest() {
        super(Emulator.FRESH);
    }
}
