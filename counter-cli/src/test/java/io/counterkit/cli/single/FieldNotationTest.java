package io.counterkit.cli.single;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.spi.Fields;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FieldNotationTest {
    static Stream<Arguments> fields() {
        return Stream.of(
                Arguments.of("customer=c-17", "customer", "c-17"),
                Arguments.of("sum=1+1=2", "sum", "1+1=2"),
                Arguments.of("url=http://x/?a:=b", "url", "http://x/?a:=b"),
                Arguments.of("a:b=c", "a:b", "c"),
                Arguments.of("number=7", "number", "7"),
                Arguments.of("número=😀", "número", "😀"),
                Arguments.of("total:=7", "total", 7L),
                Arguments.of("total:=-9223372036854775808", "total", Long.MIN_VALUE),
                Arguments.of("total:=7.0", "total", 7.0),
                Arguments.of("total:=1.0E9", "total", 1e9),
                Arguments.of("total:=-0.0", "total", -0.0),
                Arguments.of("total:=NaN", "total", Double.NaN),
                Arguments.of("total:=-Infinity", "total", Double.NEGATIVE_INFINITY),
                Arguments.of("paid:=true", "paid", true),
                Arguments.of("paid:=false", "paid", false),
                Arguments.of("due:=2026-01-31T09:30:00.125Z", "due", Instant.parse("2026-01-31T09:30:00.125Z")),
                Arguments.of("photo:=base64:AAH/", "photo", new byte[] {0, 1, -1}),
                Arguments.of("photo:=base64:", "photo", new byte[0]),
                Arguments.of("empty:=\"\"", "empty", ""),
                Arguments.of("note:=\"two words\"", "note", "two words"),
                Arguments.of("note:=\"a\\n\\\"b\\\"\\\\\\u202e\"", "note", "a\n\"b\"\\\u202e"),
                Arguments.of("\"a=b\"=c", "a=b", "c"),
                Arguments.of("\"ends:\":=1", "ends:", 1L),
                Arguments.of("\"two words\"=c", "two words", "c"));
    }

    @ParameterizedTest
    @MethodSource("fields")
    void field_isReadAndShownAlike(String word, String name, Object value) {
        Map<String, Object> read = FieldNotation.read(List.of(word));

        assertThat(Fields.areEqual(read, Map.of(name, value)))
                .as(read.toString())
                .isTrue();
        assertThat(FieldNotation.show(entry(read))).isEqualTo(word);
    }

    @Test
    void otherSpellingsOfAValue_areRead() {
        assertThat(FieldNotation.read(List.of("a=", "b:=7e2", "c:=\"\\/\\u00e4\\t\"", "d:=2026-01-31T10:30:00+01:00")))
                .isEqualTo(Map.of("a", "", "b", 700.0, "c", "/ä\t", "d", Instant.parse("2026-01-31T09:30:00Z")));
    }

    @Test
    void everyCharacter_isEscapedWhereNeededAndReadBack() {
        for (int c = 0; c < 0x3000; c++) {
            String name = Character.isISOControl(c) ? "x" : "x" + Character.toString(c);
            Map<String, Object> fields = Map.of(name, Character.toString(c));

            String shown = FieldNotation.show(entry(fields));

            assertThat(FieldNotation.read(List.of(shown))).isEqualTo(fields);
            assertThat(shown.codePoints())
                    .noneMatch(shownCode -> Character.getType(shownCode) == Character.CONTROL
                            || Character.getType(shownCode) == Character.FORMAT);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    word                   | 'word' is not a field
                    =x                     | '=x' is not a field
                    :=1                    | ':=1' is not a field
                    "a"                    | '"a"' is not a field
                    "a                     | '"a' is not a field
                    "a\\x"=1               | '"a\\x"' is not a JSON string
                    a:=                    | field 'a': '' is not a number
                    a:=null                | field 'a': 'null' is not a number
                    a:=[1]                 | field 'a': '[1]' is not a number
                    a:=1.                  | field 'a': '1.' is not a number
                    a:=9223372036854775808 | field 'a': '9223372036854775808': outside -2^63 to 2^63-1
                    a:=1e999               | field 'a': '1e999': too large for a floating-point number
                    a:=2026-13-01T00:00:00Z | field 'a': '2026-13-01T00:00:00Z': Text
                    a:=base64:!            | field 'a': 'base64:!': not base64
                    a:="x                  | field 'a': '"x': '"x' is not a JSON string
                    a:="x"y                | field 'a': '"x"y': '"x"y' is not a JSON string
                    a:="\\u12"             | field 'a': '"\\u12"': '"\\u12"' is not a JSON string
                    a:="\\"                | field 'a': '"\\"': '"\\"' is not a JSON string
                    """)
    void whatIsNoField_isRefused(String word, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldNotation.read(List.of(word)))
                .withMessageStartingWith(message);
    }

    private static Entry entry(Map<String, Object> fields) {
        return new Entry(1, Instant.EPOCH, Change.ADDED, null, fields, 1, false);
    }
}
