package io.counterkit.datastore.cloud;

class PessimisticEmulatorContractTest extends EmulatorContract {
    PessimisticEmulatorContractTest() {
        super(Emulator.PESSIMISTIC);
    }
}
