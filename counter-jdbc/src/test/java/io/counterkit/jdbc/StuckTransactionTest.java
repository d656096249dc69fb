package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A process that stops in the middle of a transaction keeps its locks for two seconds at most, and is not applied. */
class StuckTransactionTest {
    private static final int COMMIT = 3;

    private static final CountersOptions PATIENT =
            CountersOptions.builder().deadline(Duration.ofMinutes(2)).build();

    private final String name = "test-" + UUID.randomUUID();

    @Test
    void stuckReset_letsOthersAdd() {
        PostgresFixture fixture = PostgresFixture.pooled();
        try (fixture;
                Counters stuck = Counters.over(fixture.connect(), PATIENT);
                Counters other = Counters.over(fixture.connect(), PATIENT)) {
            other.counter(name).add(1);
            CompletableFuture<Void> held;
            try (InjectedFault hold = fixture.faults().inject(StoreFault.HOLD, COMMIT)) {
                held = stuck.counter(name).async().reset();
                await().atMost(Duration.ofMinutes(1)).until(hold::isHit);
                other.counter(name).add(10);
                assertThat(held).isNotDone();
                assertThat(other.counter(name).get()).isEqualTo(11);
            }
            held.join(); // the commit was refused, so the reset was sent again
            assertThat(other.counter(name).get()).isZero();
        }
    }

    @Test
    void stuckAppend_letsOthersAppend() {
        PostgresFixture fixture = PostgresFixture.pooled();
        try (fixture;
                Counters stuck = Counters.over(fixture.connect(), PATIENT);
                Counters other = Counters.over(fixture.connect(), PATIENT)) {
            stuck.sequence(name).next();
            CompletableFuture<Entry> held;
            try (InjectedFault hold = fixture.faults().inject(StoreFault.HOLD, COMMIT + 1)) {
                held = stuck.sequence(name).async().append(Change.ADDED, "a subject", Map.of());
                await().atMost(Duration.ofMinutes(1)).until(hold::isHit);
                assertThat(other.sequence(name).next()).isEqualTo(2);
                assertThat(held).isNotDone();
            }
            assertThat(held.join().number()).isEqualTo(3);
        }
    }
}
