package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT-0.001S, -1 ms",
        "PT0.000000001S, 0.000001 ms",
        "PT-0.000000001S, -0.000001 ms",
        "PT0.25S, 250 ms",
        "PT1S, 1 s",
        "PT1.5S, 1.5 s",
        "PT-1.5S, -1.5 s",
        "PT90S, 90 s",
        "PT5M, 5 min",
        "PT25H, 25 h",
        "PT24H0.000000001S, 86400.000000001 s",
        "PT9223372036854775807S, 9223372036854775807 s",
        "PT-9223372036854775808S, -9223372036854775808 s"
    })
    void inWords_isExactInOneUnit(Duration duration, String words) {
        assertThat(Durations.inWords(duration)).isEqualTo(words);
    }
}
