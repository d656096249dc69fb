package io.counterkit.datastore.cloud;

import org.junit.jupiter.api.Tag;

@Tag("exhaustive")
class StaleEmulatorTest extends EmulatorChapters {
    StaleEmulatorTest() {
        super(Emulator.STALE);
    }
}
