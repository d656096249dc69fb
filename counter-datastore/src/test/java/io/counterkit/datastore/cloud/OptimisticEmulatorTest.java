package io.counterkit.datastore.cloud;

class OptimisticEmulatorTest extends EmulatorChapters {
    OptimisticEmulatorTest() {
        super(Emulator.OPTIMISTIC);
    }
}
