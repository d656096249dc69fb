package io.counterkit.firestore.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmulatorOptionsTest {
    @Test
    void defaults_areAsStated() {
        EmulatorOptions defaults = EmulatorOptions.defaults();

        assertThat(defaults.heap()).isEqualTo("2g");
        assertThat(defaults.databaseMode()).isEqualTo(DatabaseMode.FIRESTORE_NATIVE);
        assertThat(defaults.rules()).isNull();
        assertThat(defaults.patience()).isEqualTo(Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "g", "0g", "1.5g", "1t", "-Xmx1g", "1g "})
    void invalidHeap_isRefused(String heap) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmulatorOptions.builder().heap(heap))
                .withMessage("heap \"" + heap + "\": use digits and k, m or g, such as 512m");
    }

    @Test
    void missingRules_areRefusedWithTheirAbsolutePath() {
        Path missing = Path.of("missing.rules");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmulatorOptions.builder().rules(missing))
                .withMessage("rules " + missing.toAbsolutePath() + ": no such file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S"})
    void patienceOfZeroOrLess_isRefused(Duration patience) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmulatorOptions.builder().patience(patience))
                .withMessage("patience " + patience.toMillis() + " ms: use more than zero");
    }

    @Test
    void leastPatience_isRefusedToo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmulatorOptions.builder().patience(Duration.ofSeconds(Long.MIN_VALUE)))
                .withMessageStartingWith("patience -")
                .withMessageEndingWith(" ms: use more than zero");
    }
}
