package io.counterkit.datastore.cloud;

import org.junit.jupiter.api.Tag;

@Tag("exhaustive")
class OptimisticEmulatorTest extends EmulatorChapters {
    OptimisticEmulatorTest() {
        super(Emulator.OPTIMISTIC);
    }
}
