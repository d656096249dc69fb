package io.counterkit.datastore.cloud;

import org.junit.jupiter.api.Tag;

@Tag("nightly")
class PessimisticEmulatorContractTest extends EmulatorContract {
    PessimisticEmulatorContractTest() {
        super(Emulator.PESSIMISTIC);
    }
}
