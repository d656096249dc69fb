package io.counterkit.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts in JSON are readable, and none acts on a terminal. */
class JsonTest {
    @ParameterizedTest
    @CsvSource({
        "\ud83d\ude00, \ud83d\ude00", // one character of two units
        "\ud83d, \\ud83d",
        "a\u202eb, a\\u202eb",
        "\udb40\udc01, \\udb40\\udc01" // a format character of two units
    })
    void text_isEscapedOnlyWhereItMustBe(String text, String shown) {
        String quoted = Json.quoted(text);

        assertThat(quoted).isEqualTo('"' + shown + '"');
        assertThat(Json.unquoted(quoted)).isEqualTo(text);
    }
}
