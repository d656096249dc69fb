package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    private static final Backoff BACKOFF = Backoff.between(Duration.ofNanos(3), Duration.ofNanos(40));

    @Test
    void pauseDoublesUpToTheLongest() {
        assertThat(IntStream.rangeClosed(1, 7).mapToLong(BACKOFF::nanos))
                .containsExactly(3L, 6L, 12L, 24L, 40L, 40L, 40L);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 9223372036854775807, 63, 4611686018427387904",
        "1, 9223372036854775807, 64, 9223372036854775807",
        "1, 9223372036854775807, 2147483647, 9223372036854775807",
        "4611686018427387904, 9223372036854775807, 1, 4611686018427387904",
        "4611686018427387904, 9223372036854775807, 2, 9223372036854775807",
        "9223372036854775807, 9223372036854775807, 1, 9223372036854775807",
        "1, 1, 2147483647, 1",
        "3, 40, 0, 3",
        "3, 40, -2147483648, 3"
    })
    void pauseNeverOverflows(long first, long longest, int failed, long pause) {
        assertThat(new Backoff(first, longest).nanos(failed)).isEqualTo(pause);
    }

    @Test
    void longestPause_mayBeAsLongAsADurationCan() {
        Backoff endless = Backoff.between(Duration.ofSeconds(1), Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(endless.longestNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void randomPause_isBetweenHalfAndTheWhole() {
        Random random = new Random(7);
        assertThat(IntStream.range(0, 1000).mapToLong(i -> BACKOFF.nanos(4, random)))
                .allMatch(pause -> pause >= 12 && pause <= 24)
                .contains(12L, 24L);
        assertThat(new Backoff(Long.MAX_VALUE, Long.MAX_VALUE).nanos(1, random)).isGreaterThanOrEqualTo(1L << 62);
    }

    @Test
    void randomPause_isShortenedByWhatTheGeneratorReturns() {
        RandomGenerator generator = () -> 0;
        assertThat(BACKOFF.nanos(4, generator)).isEqualTo(24);
    }

    @ParameterizedTest
    @CsvSource({"0, 5", "-1, 5", "6, 5"})
    void pausesThatAreNoRange_areRefused(long first, long longest) {
        assertThatThrownBy(() -> new Backoff(first, longest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(first + " ns", longest + " ns");
    }
}
