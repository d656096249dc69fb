package io.counterkit.datastore.cloud;

class StaleEmulatorTest extends EmulatorChapters {
    StaleEmulatorTest() {
        super(Emulator.STALE);
    }
}
