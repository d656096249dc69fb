package io.counterkit.inmemory;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Tag;

/**
 * The contract on a store whose calls take 1 ms each, so that requests wait for one another. {@code
 * -Dcounterkit.latency.micros=…} sets another time.
 */
@Tag("exhaustive")
class InMemoryLatencyContractTest extends CounterBackendContract {
    private static final Duration LATENCY =
            Duration.of(Long.getLong("counterkit.latency.micros", 1_000), ChronoUnit.MICROS);

    @Override
    protected BackendFixture createFixture() {
        return new LatencyFixture(LATENCY);
    }
}
