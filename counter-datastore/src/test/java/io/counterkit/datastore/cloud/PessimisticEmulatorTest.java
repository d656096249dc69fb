package io.counterkit.datastore.cloud;

class PessimisticEmulatorTest extends EmulatorChapters {
    PessimisticEmulatorTest() {
        super(Emulator.PESSIMISTIC);
    }
}
