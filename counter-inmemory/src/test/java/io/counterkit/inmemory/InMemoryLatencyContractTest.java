package io.counterkit.inmemory;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Tag;

/**
 * The contract on a store whose calls take 1 ms each, so that requests wait for one another. {@code
 * -Dcounterkit.latency.micros=…} sets another time, and {@code -Dcounterkit.deadline.seconds=…} when a call ends at the
 * latest, so that mutation testing soon finds a change that never ends.
 */
@Tag("exhaustive")
class InMemoryLatencyContractTest extends CounterBackendContract {
    private static final Duration LATENCY =
            Duration.of(Long.getLong("counterkit.latency.micros", 1_000), ChronoUnit.MICROS);

    private static final Duration DEADLINE = Duration.ofSeconds(Long.getLong("counterkit.deadline.seconds", 20));

    @Override
    protected BackendFixture createFixture() {
        return new LatencyFixture(LATENCY, DEADLINE);
    }
}
