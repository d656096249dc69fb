package io.counterkit.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManualClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ManualClock clock = ManualClock.at(START);
    private final InMemoryStore store =
            InMemoryStore.create(InMemoryOptions.builder().clock(clock).build());
    private final Counters counters = Counters.over(InMemoryBackend.over(store));

    @Test
    void tokens_expireWhenTheRetentionHasPassed() {
        IdempotencyToken token = IdempotencyToken.random();
        counters.counter("likes").add(5, token);
        clock.advance(Duration.ofHours(24));
        counters.counter("likes").add(5, token);
        assertThat(counters.counter("likes").get()).isEqualTo(5);

        clock.advance(Duration.ofMillis(1));
        counters.counter("likes").add(5, token);
        assertThat(counters.counter("likes").get()).isEqualTo(10);
    }

    @Test
    void entriesAndReadings_areDatedByIt() {
        clock.advance(Duration.ofMinutes(3));
        assertThat(counters.sequence("invoices").append(Map.of()).appendedAt()).isEqualTo(START.plusSeconds(180));
        assertThat(counters.counter("likes").read(Duration.ZERO).asOf()).isEqualTo(START.plusSeconds(180));
    }

    @Test
    void negativeAdvance_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advance(Duration.ofMillis(-5)))
                .withMessage("advance by -5 ms: use zero or more");
    }
}
