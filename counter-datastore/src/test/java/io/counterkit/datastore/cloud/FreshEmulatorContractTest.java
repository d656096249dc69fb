package io.counterkit.datastore.cloud;

import org.junit.jupiter.api.Tag;

@Tag("exhaustive")
class FreshEmulatorContractTest extends EmulatorContract {
    FreshEmulatorContractTest() {
        super(Emulator.FRESH);
    }
}
