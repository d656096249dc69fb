package io.counterkit.datastore.cloud;

import org.junit.jupiter.api.Tag;

@Tag("nightly")
class OptimisticEmulatorContractTest extends EmulatorContract {
    OptimisticEmulatorContractTest() {
        super(Emulator.OPTIMISTIC);
    }
}
