package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RampUpLimiterTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    /** Starts near the end of the range, so that only differences of times are meaningful. */
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - SECOND);

    private final RampUpLimiter ramp = RampUpLimiter.of(500, 1.5, Duration.ofMinutes(5), clock::get);

    /** Returns how many operations a worker that never pauses can do in this time. */
    private long doneWithin(RampUpLimiter limited, long nanos) {
        long end = clock.get() + nanos;
        for (long done = 0; ; done++) {
            clock.addAndGet(limited.reserve(1));
            if (clock.get() - end >= 0) {
                return done;
            }
        }
    }

    @Test
    void aSecond_atTheStart_has500() {
        assertThat(doneWithin(ramp, SECOND)).isEqualTo(500);
        assertThat(doneWithin(ramp, SECOND)).isCloseTo(500, within(1L));
    }

    @Test
    void step_mayBeAsLongAsADurationCan() {
        RampUpLimiter constant = RampUpLimiter.of(500, 1.5, Duration.ofSeconds(Long.MAX_VALUE), clock::get);
        assertThat(doneWithin(constant, SECOND)).isEqualTo(500);
    }

    @Test
    void rate_risesByHalfEveryFiveMinutes() {
        assertThat(doneWithin(ramp, 5 * MINUTE)).isCloseTo(150_000, within(2L));
        assertThat(doneWithin(ramp, SECOND)).isCloseTo(750, within(2L));
        assertThat(ramp.perSecond()).isEqualTo(750);
        doneWithin(ramp, 5 * MINUTE);
        assertThat(doneWithin(ramp, SECOND)).isCloseTo(1125, within(2L));
    }

    @Test
    void severalAtOnce_countAsMany() {
        assertThat(ramp.reserve(250)).isZero();
        assertThat(ramp.reserve(500)).isEqualTo(SECOND / 2);
        assertThat(ramp.reserve(0)).isEqualTo(SECOND + SECOND / 2);
        assertThat(ramp.reserve(1)).isEqualTo(SECOND + SECOND / 2);
    }

    @Test
    void unusedCapacity_expires() {
        assertThat(ramp.reserve(1)).isZero();
        clock.addAndGet(MINUTE);

        assertThat(ramp.reserve(50)).isZero();
        assertThat(ramp.reserve(1)).as("a tenth of a second may be made up for").isZero();
        assertThat(ramp.reserve(1)).isEqualTo(SECOND / 500);
    }

    @Test
    void lateWorker_isNotSlowedDown() {
        long end = clock.get() + 10 * SECOND;
        long done = 0;
        while (clock.get() - end < 0) {
            long wait = ramp.reserve(1);
            clock.addAndGet(wait == 0 ? 0 : wait + SECOND / 1000);
            done++;
        }

        assertThat(done).isCloseTo(5000, within(51L));
    }

    @Test
    void longPause_restartsTheRamp() {
        doneWithin(ramp, 6 * MINUTE);
        assertThat(ramp.perSecond()).isEqualTo(750);
        clock.addAndGet(4 * MINUTE);
        ramp.reserve(1);
        assertThat(ramp.perSecond()).isEqualTo(1125);
        clock.addAndGet(6 * MINUTE);
        ramp.reserve(1);

        assertThat(ramp.perSecond()).isEqualTo(500);
    }

    @Test
    void atMost_holdsTheRateDown_fromTheStartOrLater() {
        RampUpLimiter low = ramp.atMost(100);
        assertThat(doneWithin(low, SECOND)).isEqualTo(100);

        RampUpLimiter higher = ramp.atMost(600);
        assertThat(doneWithin(higher, SECOND)).isEqualTo(500);
        doneWithin(higher, 15 * MINUTE);
        assertThat(higher.perSecond()).isEqualTo(600);
        assertThat(higher.atMost(1000).atMost(700).perSecond()).isEqualTo(500);
    }

    @Test
    void tryReserve_reservesNothing_whereTheWaitIsTooLong() {
        RampUpLimiter constant = ramp.atMost(100);
        assertThat(constant.tryReserve(100, 0)).isZero();
        for (int i = 0; i < 5; i++) {
            assertThat(constant.tryReserve(1, SECOND - 1)).isEqualTo(-1);
        }
        assertThat(constant.tryReserve(1, SECOND)).isEqualTo(SECOND);
    }

    @Test
    void unlimited_neverWaits() throws InterruptedException {
        RampUpLimiter free = RampUpLimiter.unlimited();
        for (int i = 0; i < 1000; i++) {
            assertThat(free.reserve(Integer.MAX_VALUE)).isZero();
        }
        free.await(Integer.MAX_VALUE);
        assertThat(free.whenFree(1)).isCompleted();
        assertThat(free.atMost(10).perSecond()).isEqualTo(10);
    }

    @Test
    void whenFree_completesLater_whereThereIsAWait() {
        RampUpLimiter fast = RampUpLimiter.of(1000, 1, Duration.ofMinutes(1), System::nanoTime);
        CompletableFuture<Void> first = fast.whenFree(10);
        assertThat(first).isCompleted();

        assertThatNoException().isThrownBy(() -> fast.whenFree(1).get(10, TimeUnit.SECONDS));
        assertThatNoException().isThrownBy(() -> fast.await(1));
    }

    @Test
    void recommended_isThatOfFirestore() {
        assertThat(RampUpLimiter.recommended().perSecond()).isEqualTo(500);
    }

    @Test
    void invalidArguments_areRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ramp.reserve(-1)).withMessageContaining("-1");
        assertThatIllegalArgumentException().isThrownBy(() -> ramp.atMost(0)).withMessageContaining("0");
        assertThatIllegalArgumentException().isThrownBy(() -> ramp.atMost(Double.NaN));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RampUpLimiter.of(0, 1, Duration.ofSeconds(1), clock::get));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RampUpLimiter.of(1, 0.9, Duration.ofSeconds(1), clock::get));
        assertThatIllegalArgumentException().isThrownBy(() -> RampUpLimiter.of(1, 1, Duration.ZERO, clock::get));
    }
}
