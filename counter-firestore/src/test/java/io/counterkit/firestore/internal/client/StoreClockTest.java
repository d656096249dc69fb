package io.counterkit.firestore.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StoreClockTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final StoreClock clock = new StoreClock(InstantSource.system());

    @Test
    void moment_isUnknown_beforeTheFirstAnswer() {
        assertThat(clock.nanosOf(NOON)).isNull();
    }

    @Test
    void momentBeforeAnAnswer_isEquallyLongBeforeTheRequest() {
        long asked = System.nanoTime();
        clock.note(NOON, asked);
        assertThat(clock.nanosOf(NOON)).isEqualTo(asked);
        assertThat(clock.nanosOf(NOON.minusSeconds(7))).isEqualTo(asked - TimeUnit.SECONDS.toNanos(7));
    }

    @Test
    void futureMoment_isNotLaterThanNow() {
        clock.note(NOON, System.nanoTime());
        assertThat(clock.nanosOf(NOON.plusSeconds(3600))).isLessThanOrEqualTo(System.nanoTime());
    }

    @Test
    void momentCenturiesAgo_isOld() {
        clock.note(NOON, System.nanoTime());
        assertThat(System.nanoTime() - clock.nanosOf(Instant.parse("0001-01-01T00:00:00Z")))
                .isGreaterThan(TimeUnit.DAYS.toNanos(365));
    }

    @Test
    void now_isUnknown_beforeTheFirstAnswer() {
        assertThat(clock.now()).isNull();
    }

    @Test
    void now_isTheTimeOfTheAnswerPlusTheElapsedTime() {
        long asked = System.nanoTime();
        clock.note(NOON, asked - TimeUnit.HOURS.toNanos(3));
        assertThat(clock.now()).isBetween(NOON.plusSeconds(3 * 3600), NOON.plusSeconds(3 * 3600 + 600));
    }

    @Test
    void now_usesTheMachinesClock_ifItHasMovedFarther() {
        AtomicReference<Instant> machine = new AtomicReference<>(Instant.EPOCH);
        StoreClock asleep = new StoreClock(machine::get);
        asleep.note(NOON, System.nanoTime());
        machine.set(Instant.EPOCH.plusSeconds(86_400));
        assertThat(asleep.now()).isBetween(NOON.plusSeconds(86_400), NOON.plusSeconds(86_400 + 600));
        machine.set(Instant.EPOCH.minusSeconds(86_400));
        assertThat(asleep.now()).isBetween(NOON, NOON.plusSeconds(600));
    }
}
