package io.counterkit.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessArgumentsTest {
    private static final byte[] COMMAND_LINE = "java\0-jar\0x.jar\0add\0\0ü?\0".getBytes(UTF_8);

    @Test
    void argumentsAreReadFromTheBytesOfTheCommandLine() {
        String[] decoded = {"add", "", "???"};
        assertThat(ProcessArguments.asTyped(decoded, COMMAND_LINE, "ANSI_X3.4-1968"))
                .containsExactly("add", "", "ü?");
    }

    @Test
    void commandLineWithOtherWords_isIgnored() {
        assertThat(ProcessArguments.asTyped(new String[] {"get", "", "ü"}, COMMAND_LINE, "UTF-8"))
                .containsExactly("get", "", "ü");
        assertThat(ProcessArguments.asTyped(new String[] {"a", "b", "c", "d", "e", "f", "ü"}, COMMAND_LINE, "UTF-8"))
                .endsWith("ü");
    }

    /** As on Windows, and on macOS. */
    @ParameterizedTest
    @CsvSource({"Cp1252, ü", "UTF-8, ü?", "UTF-8, 日本"})
    void withoutACommandLine_decodedArgumentsAreUsedIfNothingCanBeLost(String encoding, String word) {
        assertThat(ProcessArguments.asTyped(new String[] {word}, null, encoding))
                .containsExactly(word);
    }

    @ParameterizedTest
    @CsvSource({"Cp1252, ?", "Cp1252, a\ufffd", "UTF-8, a\ufffd"})
    void withoutACommandLine_argumentsThatMayHaveLostCharactersAreRefused(String encoding, String word) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProcessArguments.asTyped(new String[] {"add", word}, null, encoding))
                .withMessageStartingWith("argument 2 '" + word + "' may have lost characters")
                .withMessageContaining(encoding);
    }

    /** GBK takes an ASCII letter after the bytes of UTF-8 for the second half of a character. */
    @Test
    void utf8DecodedInAnotherEncoding_isRefused() {
        byte[] commandLine = "java\0Main\0add\0斁A\0".getBytes(UTF_8);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProcessArguments.asTyped(new String[] {"add", "鏂丄"}, commandLine, "GBK"))
                .withMessageStartingWith("argument 2 ")
                .withMessageContaining("GBK");
    }
}
