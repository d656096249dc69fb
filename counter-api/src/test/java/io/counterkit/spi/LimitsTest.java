package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", " ", "likes", "a/b", "__x__", ".", "..", "~", "ü", "\u00a0", "\u2028", "\uD83D\uDE00"})
    void namesAreAnyTextWithoutControlCharacters(String name) {
        assertThat(Limits.checkName("counter name", name)).isSameAs(name);
    }

    @ParameterizedTest
    @CsvSource({"x, 400", "ü, 200", "€, 133", "😀, 100"})
    void nameHas400BytesAtMost(String character, int fitting) {
        String longest = character.repeat(fitting);
        assertThat(Limits.checkName("counter name", longest)).isEqualTo(longest);

        int bytes = Limits.utf8Length("text", character) * (fitting + 1);
        assertThatThrownBy(() -> Limits.checkName("counter name", longest + character))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("counter name '" + (character.length() == 1 ? character : "U+D83D"))
                .hasMessageContaining("has " + bytes + " UTF-8 bytes")
                .hasMessageContaining("at most 400");
    }

    @Test
    void emptyNameIsRefused() {
        assertThatThrownBy(() -> Limits.checkName("counter name", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("counter name is empty: use 1 to 400 UTF-8 bytes");
    }

    @Test
    void missingNameIsRefused() {
        assertThatThrownBy(() -> Limits.checkName("counter name", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("counter name");
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x09, 0x0a, 0x1f, 0x7f, 0x80, 0x9f})
    void controlCharactersAreRefusedByTheirPlace(int control) {
        String hex = String.format("U+%04X", control);

        assertThatThrownBy(() -> Limits.checkName("counter name", "ab" + (char) control))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("counter name 'ab" + hex + "' has the control character " + hex + " at index 2: remove it");
    }

    @ParameterizedTest
    @ValueSource(ints = {0x20, 0x7e, 0xa0})
    void neighboursOfControlCharactersAreAllowed(int character) {
        assertThat(Limits.checkName("counter name", "ab" + (char) character)).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab\uD83D", "ab\uDE00", "ab\uD83Dc", "ab\uDE00\uD83D", "ab\uD83D\uD83D\uDE00"})
    void loneSurrogatesAreRefusedByTheirPlace(String name) {
        assertThatThrownBy(() -> Limits.checkName("counter name", name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("counter name has the lone surrogate U+D")
                .hasMessageEndingWith(" at index 2: use whole surrogate pairs");
        assertThatThrownBy(() -> Limits.utf8Length("field 'x'", name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("field 'x'");
    }

    @Test
    void longTextIsShownInPart() {
        assertThatThrownBy(() -> Limits.checkText("token", "x".repeat(1000), 512))
                .hasMessage("token '" + "x".repeat(60) + "…' has 1000 UTF-8 bytes: at most 512 are allowed");
        assertThatThrownBy(() -> Limits.checkText("token", "x".repeat(60), 59))
                .hasMessageContaining("'" + "x".repeat(60) + "'");
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "a, 1", "aü€😀, 10"})
    void utf8LengthIsThatOfTheEncodedText(String text, int bytes) {
        assertThat(Limits.utf8Length("text", text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 9_007_199_254_740_992L, -9_007_199_254_740_992L})
    void deltasWithinTheBoundAreAllowed(long delta) {
        assertThat(Limits.checkDelta(delta)).isEqualTo(delta);
    }

    @ParameterizedTest
    @ValueSource(longs = {9_007_199_254_740_993L, -9_007_199_254_740_993L, Long.MAX_VALUE, Long.MIN_VALUE})
    void deltasBeyondTheBoundAreRefused(long delta) {
        assertThatThrownBy(() -> Limits.checkDelta(delta))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delta " + delta)
                .hasMessageContaining("±2^53 (9007199254740992)");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, (1L << 62) + 1, Long.MAX_VALUE})
    void importedLastNumbersBeyondTheBoundAreRefused(long last) {
        assertThat(new ImportedState("elsewhere", true, 1, 1L << 62).last()).isEqualTo(1L << 62);
        assertThatThrownBy(() -> new ImportedState("elsewhere", true, 1, last))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("" + last, "use 0 to 4611686018427387904");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT24H", "P3650D"})
    void retentionsWithinTheBoundsAreAllowed(Duration retention) {
        assertThat(Limits.checkRetention("retention", retention)).isEqualTo(retention);
    }

    @ParameterizedTest
    @CsvSource({"PT0.001S, 1 ms", "PT59M59S, 3599 s", "PT59M, 59 min", "PT0S, 0 ms", "PT-1H, -1 h", "P3651D, 87624 h"})
    void retentionsBeyondTheBoundsAreRefused(Duration retention, String words) {
        assertThatThrownBy(() -> Limits.checkRetention("sourceRetention", retention))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("sourceRetention " + words + ": use 1 h to 3650 days");
    }

    @Test
    void deadline_isAtMostHalfOfTheRetention() {
        Duration hour = Duration.ofHours(1);
        Duration half = Duration.ofMinutes(30);
        assertThat(Limits.checkDeadline(half, hour)).isEqualTo(half);
        assertThatThrownBy(() -> Limits.checkDeadline(half.plusMillis(1), hour))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("deadline 1800.001 s with a backend that remembers tokens for 1 h:"
                        + " use at most 30 min, or a longer retention");
    }

    @Test
    void checkBetween_acceptsBothBoundsAndNamesThem() {
        assertThat(Limits.checkBetween("threads", 1, 1, 9)).isEqualTo(1);
        assertThat(Limits.checkBetween("threads", 9, 1, 9)).isEqualTo(9);
        for (int outside : new int[] {0, 10}) {
            assertThatThrownBy(() -> Limits.checkBetween("threads", outside, 1, 9))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("threads " + outside + ": use 1 to 9");
        }
    }

    @Test
    void checkAtLeast_acceptsTheBoundAndNamesIt() {
        assertThat(Limits.checkAtLeast("samples", 0, 0)).isZero();
        assertThatThrownBy(() -> Limits.checkAtLeast("samples", -1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("samples -1: use 0 or more");
    }

    @ParameterizedTest
    @CsvSource({
        "3, 4, 7",
        "9223372036854775807, 0, 9223372036854775807",
        "9223372036854775807, 1, 9223372036854775807",
        "9223372036854775807, -9223372036854775808, -1",
        "-9223372036854775808, -1, -9223372036854775808",
        "-9223372036854775808, 1, -9223372036854775807",
        "9223372036854775807, 9223372036854775807, 9223372036854775807",
        "-9223372036854775808, -9223372036854775808, -9223372036854775808"
    })
    void saturatedSum_staysAtTheEndOfTheRange(long a, long b, long sum) {
        assertThat(Limits.saturatedSum(a, b)).isEqualTo(sum);
        assertThat(Limits.saturatedSum(b, a)).isEqualTo(sum);
    }
}
