package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {
    private static final int MOST_BYTES = 32 * 1024;

    @Test
    void everyTypeIsKeptInItsOrder() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("text", "a\nb");
        fields.put("empty", "");
        fields.put("long", Long.MIN_VALUE);
        fields.put("double", Double.NaN);
        fields.put("boolean", false);
        fields.put("instant", Instant.parse("2026-01-01T00:00:00.123Z"));

        Map<String, Object> checked = Fields.check(fields);

        assertThat(checked).isEqualTo(fields).isNotSameAs(fields);
        assertThat(checked.keySet()).containsExactlyElementsOf(fields.keySet());
    }

    @Test
    void copyIsDeepAndCannotBeChanged() {
        byte[] bytes = {1, 2, 3};
        Map<String, Object> fields = new HashMap<>(Map.of("bytes", bytes));

        Map<String, Object> checked = Fields.check(fields);
        bytes[0] = 9;
        fields.put("more", 1L);

        assertThat(checked).containsOnlyKeys("bytes");
        assertThat((byte[]) checked.get("bytes")).containsExactly(1, 2, 3);
        assertThatThrownBy(() -> checked.put("more", 1L)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(checked::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void copyOfACopyIsDeepToo() {
        Map<String, Object> first = Fields.check(Map.of("bytes", new byte[] {1, 2, 3}));
        Map<String, Object> second = Fields.copyOf(first);

        ((byte[]) first.get("bytes"))[0] = 9;

        assertThat((byte[]) second.get("bytes")).containsExactly(1, 2, 3);
        assertThat(Fields.copyOf(Map.of())).isEmpty();
    }

    @Test
    void fieldsAreEqualIfTheirContentIs() {
        Map<String, Object> fields = Map.of("bytes", new byte[] {1, 2}, "total", 5L);

        assertThat(Fields.areEqual(fields, Map.of("bytes", new byte[] {1, 2}, "total", 5L)))
                .isTrue();
        assertThat(Fields.areEqual(fields, Map.of("bytes", new byte[] {1, 3}, "total", 5L)))
                .isFalse();
        assertThat(Fields.areEqual(fields, Map.of("bytes", new byte[] {1, 2}, "sum", 5L)))
                .isFalse();
        assertThat(Fields.areEqual(fields, Map.of("bytes", new byte[] {1, 2}))).isFalse();
        assertThat(Fields.areEqual(Map.of(), Map.of())).isTrue();
    }

    /** Another thread may change a map between the check and the copy. */
    @Test
    void fieldsThatChangeMeanwhileAreRefusedOrCopiedAsTheyWere() {
        for (int reads = 0; reads < 10; reads++) {
            AtomicInteger left = new AtomicInteger(reads);
            Map<String, Object> changing = new AbstractMap<>() {
                @Override
                public Set<Map.Entry<String, Object>> entrySet() {
                    Object value = left.getAndDecrement() > 0 ? 5L : List.of();
                    return Map.of("total", value).entrySet();
                }
            };
            try {
                assertThat(Fields.check(changing)).isEqualTo(Map.of("total", 5L));
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("field 'total'");
            }
        }
    }

    @Test
    void otherTypesAreRefusedByNameAndType() {
        for (Object other : List.of(5, 5f, (short) 5, 'x', List.of(), Map.of(), new int[0], new Object())) {
            assertThatThrownBy(() -> Fields.check(Map.of("total", other)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(
                            "field 'total' holds a " + other.getClass().getName());
        }
    }

    @Test
    void nullIsRefusedByName() {
        assertThatThrownBy(() -> Fields.check(Collections.singletonMap("total", null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("field 'total' holds null");
    }

    @Test
    void hundredFieldsAreAllowedAndOneMoreIsNot() {
        assertThat(Fields.check(numbered(100))).hasSize(100);
        assertThatThrownBy(() -> Fields.check(numbered(101)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an entry with 101 fields: at most 100 are allowed");
    }

    @Test
    void namesAreCheckedLikeThoseOfCounters() {
        assertThat(Fields.check(Map.of("x".repeat(400), 1L))).hasSize(1);
        for (String name : List.of("", "x".repeat(401), "a\n", "\uD83D")) {
            assertThatThrownBy(() -> Fields.check(Map.of(name, 1L)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("field name");
        }
    }

    @Test
    void textAndBytesCountInFull() {
        assertThat(Fields.check(Map.of("abcd", "x".repeat(MOST_BYTES - 4)))).hasSize(1);
        assertThat(Fields.check(Map.of("abcd", new byte[MOST_BYTES - 4]))).hasSize(1);
        assertThat(Fields.check(Map.of("abcd", "ü".repeat(MOST_BYTES / 2 - 2)))).hasSize(1);

        for (Object tooLarge :
                List.of("x".repeat(MOST_BYTES - 3), new byte[MOST_BYTES - 3], "ü".repeat(MOST_BYTES / 2 - 2) + "x")) {
            assertThatThrownBy(() -> Fields.check(Map.of("abcd", tooLarge)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("an entry with 32769 bytes of fields: at most 32768 are allowed");
        }
    }

    @Test
    void everyOtherValueCountsEightBytes() {
        for (Object eight : List.of(1L, 1.5, true, Instant.EPOCH)) {
            Map<String, Object> fields = new HashMap<>(Map.of("ab", eight, "cd", new byte[MOST_BYTES - 12]));
            assertThat(Fields.check(fields)).hasSize(2);
            fields.put("cd", new byte[MOST_BYTES - 11]);
            assertThatThrownBy(() -> Fields.check(fields)).hasMessageContaining("32769");
        }
    }

    @Test
    void loneSurrogateInATextIsRefusedByName() {
        assertThatThrownBy(() -> Fields.check(Map.of("title", "ab\uD83D")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("field 'title' has the lone surrogate U+D83D at index 2: use whole surrogate pairs");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0001-01-01T00:00:00Z",
                "9999-12-31T23:59:59.999Z",
                "1969-12-31T23:59:59.999Z",
                "2026-01-01T00:00:00.001Z"
            })
    void wholeMillisecondsOfFourDigitYearsAreAllowed(String instant) {
        assertThat(Fields.check(Map.of("at", Instant.parse(instant)))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2026-01-01T00:00:00.000001Z", "2026-01-01T00:00:00.999999999Z", "1969-12-31T23:59:59.9999Z"})
    void finerInstantsAreRefused(String instant) {
        assertThatThrownBy(() -> Fields.check(Map.of("at", Instant.parse(instant))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("field 'at' holds " + Instant.parse(instant))
                .hasMessageContaining("truncate it to milliseconds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000-12-31T23:59:59.999Z", "+10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z"})
    void otherYearsAreRefused(String instant) {
        assertThatThrownBy(() -> Fields.check(Map.of("at", Instant.parse(instant))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("field 'at' holds " + Instant.parse(instant))
                .hasMessageContaining("0001 to 9999");
    }

    private static Map<String, Object> numbered(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "f" + i, Long::valueOf));
    }
}
