package io.counterkit.datastore.cloud;

class OptimisticEmulatorContractTest extends EmulatorContract {
    OptimisticEmulatorContractTest() {
        super(Emulator.OPTIMISTIC);
    }
}
