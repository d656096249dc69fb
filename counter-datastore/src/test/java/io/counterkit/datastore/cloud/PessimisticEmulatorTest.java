package io.counterkit.datastore.cloud;

import org.junit.jupiter.api.Tag;

@Tag("exhaustive")
class PessimisticEmulatorTest extends EmulatorChapters {
    PessimisticEmulatorTest() {
        super(Emulator.PESSIMISTIC);
    }
}
