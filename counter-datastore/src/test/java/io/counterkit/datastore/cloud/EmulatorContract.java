package io.counterkit.datastore.cloud;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import io.counterkit.tck.Prerequisite;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** The contract on an emulator of its own. */
@Tag("exhaustive")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EmulatorContract extends CounterBackendContract {
    private Emulator emulator;

    /** An emulator that listens at an address until it is closed. */
    record Emulator(String hostAndPort, Duration lag, Runnable close) {}

    abstract Emulator start() throws Exception;

    @BeforeAll
    final void startEmulator() {
        emulator = Prerequisite.required(this::start);
    }

    @AfterAll
    final void stopEmulator() {
        if (emulator != null) {
            emulator.close().run();
        }
    }

    @Override
    protected final BackendFixture createFixture() {
        return CloudStore.at(emulator.hostAndPort(), emulator.lag());
    }
}
