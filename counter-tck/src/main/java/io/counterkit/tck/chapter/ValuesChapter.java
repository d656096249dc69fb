package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Chapters 6, 10 and 13, continued: extreme values of each type are read back unchanged to the last bit. */
public abstract class ValuesChapter extends MigrationChapter {
    @Test
    @Rule(
            value = "6.7",
            lookAt = "numbers that are converted to floating point, 32 bits or text: with a token, in a seal, in a"
                    + " list, in an imported state")
    final void spec607_numbersAtTheEdgesComeBackExactly() {
        List<Long> deltas = List.of(
                Limits.MAX_DELTA,
                -Limits.MAX_DELTA,
                Limits.MAX_DELTA - 1,
                1 - Limits.MAX_DELTA,
                (1L << 31) - 1,
                1L << 31,
                -(1L << 31) - 1,
                1L << 32,
                (1L << 24) + 1,
                -1L,
                0L);
        for (long delta : deltas) {
            Counter counter = counter();
            IdempotencyToken token = IdempotencyToken.random();
            counter.add(delta, token);
            assertThat(there().resolve(token)).isEqualTo(new Resolution.Added(counter.name(), delta));
            assertThat(elsewhere(counter).get()).isEqualTo(delta);
            counter.add(1);
            assertThat(elsewhere(counter).get()).isEqualTo(delta + 1);
            if (declares(Capability.SEAL_COUNTERS)) {
                assertThat(counter.seal(ELSEWHERE)).isEqualTo(new Seal(ELSEWHERE, delta + 1, delta + 1));
                assertThat(elsewhere(counter).get()).isEqualTo(delta + 1);
            }
        }
        if (declares(Capability.IMPORT)) {
            basesAtTheEdges();
        }
    }

    private void basesAtTheEdges() {
        MigrationStore into = backend().migration();
        MigrationStore other = backend().migration();
        for (long total : List.of(
                Limits.MAX_TOTAL,
                -Limits.MAX_TOTAL,
                Limits.MAX_TOTAL - 1,
                (1L << 53) + 1,
                -(1L << 53) - 1,
                (1L << 31))) {
            String name = name();
            assertThat(imported(into, Kind.COUNTER, name, total(total))).isEqualTo(total(total));
            assertThat(imported(other, Kind.COUNTER, name, total(0))).isEqualTo(total(total));
            assertThat(there().counter(name).get()).isEqualTo(total);
            there().counter(name).add(total > 0 ? -1 : 1);
            assertThat(here().counter(name).get()).isEqualTo(total > 0 ? total - 1 : total + 1);
        }
        for (long last : List.of((1L << 31) - 1, 1L << 31, (1L << 32) + 1, (1L << 53) + 1, 999_999_999_999_999L)) {
            ImportedState end = end(last, last - 1);
            String name = name();
            assertThat(imported(into, Kind.SEQUENCE, name, end)).isEqualTo(end);
            IdempotencyToken token = IdempotencyToken.random();
            Entry next = there().sequence(name).append(Map.of("a", "b"), token);
            assertThat(here().resolve(token)).isEqualTo(new Resolution.Appended(name, last + 1));
            assertThat(next.number()).isEqualTo(last + 1);
            assertThat(here().sequence(name).tail()).isEqualTo(new Tail(last + 1, last, null));
            assertThat(entry(here().sequence(name), last + 1)).isEqualTo(next);
            Entry copy = entry(last, Map.of("a", 1L));
            into.copy(name, List.of(copy), commit()).join();
            assertThat(there().sequence(name).read(last, last + 1)).containsExactly(copy, next);
            if (declares(Capability.SEAL_SEQUENCES)) {
                assertThat(here().sequence(name).seal(ELSEWHERE)).isEqualTo(new Seal(ELSEWHERE, last + 1, last));
                assertThat(there().sequence(name).tail().seal()).isEqualTo(new Seal(ELSEWHERE, last + 1, last));
            }
        }
    }

    @Test
    @Rule(
            value = "10.17",
            lookAt = "how each type of value is stored: negative zero, the smallest double, texts with trailing"
                    + " blanks, empty texts, instants before 1970, texts that look like another type")
    final void spec1017_valuesAtTheEdgesComeBackToTheLastBit() {
        Sequence sequence = sequence();
        List<Map<String, Object>> expected = new ArrayList<>();
        for (List<Object> values :
                List.of(longs(), doubles(), texts(), instants(), bytes(), List.<Object>of(true, false))) {
            Map<String, Object> fields = new HashMap<>();
            for (int i = 0; i < values.size(); i++) {
                fields.put("v" + i, values.get(i));
            }
            expected.add(fields);
        }
        Map<String, Object> mixed = new HashMap<>();
        expected.forEach(fields -> fields.forEach(
                (name, value) -> mixed.put(name + value.getClass().getSimpleName(), value)));
        mixed.values().removeIf(value -> value instanceof String text && text.length() > 1000);
        while (mixed.size() > Limits.MAX_FIELDS) {
            mixed.remove(mixed.keySet().iterator().next());
        }
        expected.add(mixed);
        expected.add(Map.of());
        for (Map<String, Object> fields : expected) {
            IdempotencyToken token = IdempotencyToken.random();
            Entry appended = sequence.append(fields, token);
            assertSame(appended, fields);
            assertSame(entry(elsewhere(sequence), appended.number()), fields);
            assertSame(elsewhere(sequence).append(Map.of("other", 1L), token), fields);
        }
        if (declares(Capability.IMPORT)) {
            copiesAreTheSame(expected);
        }
        Entry revised = sequence.append(Change.ADDED, "s", expected.get(1));
        assertThat(entry(elsewhere(sequence), revised.number())).isEqualTo(revised);
    }

    private void copiesAreTheSame(List<Map<String, Object>> expected) {
        MigrationStore into = backend().migration();
        String name = name();
        imported(into, Kind.SEQUENCE, name, end(100, 17));
        for (int i = 0; i < expected.size(); i++) {
            into.copy(name, List.of(entry(i + 1, expected.get(i))), commit()).join();
            assertSame(entry(there().sequence(name), i + 1), expected.get(i));
        }
    }

    private static void assertSame(Entry entry, Map<String, Object> fields) {
        assertThat(entry.fields()).containsOnlyKeys(fields.keySet());
        fields.forEach((name, value) -> {
            Object read = entry.fields().get(name);
            if (value instanceof byte[] bytes) {
                assertThat((byte[]) read).as("the field %s", name).isEqualTo(bytes);
            } else if (value instanceof Double number) {
                assertThat(read).as("the field %s, which was %s", name, value).isInstanceOf(Double.class);
                assertThat(Double.doubleToLongBits((Double) Objects.requireNonNull(read)))
                        .as("the bits of the field %s, which was %s, and is %s", name, value, read)
                        .isEqualTo(Double.doubleToLongBits(number));
            } else {
                assertThat(read).as("the field %s", name).isEqualTo(value);
            }
        });
    }

    private static List<Object> longs() {
        return List.of(
                0L,
                -1L,
                1L,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                Long.MAX_VALUE - 1,
                (1L << 53) + 1,
                -(1L << 53) - 1,
                (1L << 31),
                (1L << 32) - 1,
                -(1L << 31) - 1,
                127L,
                128L,
                255L,
                256L,
                32768L,
                65536L);
    }

    private static List<Object> doubles() {
        return List.of(
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.1,
                0.1 + 0.2,
                1.0 / 3,
                Math.PI,
                Double.MIN_VALUE,
                -Double.MIN_VALUE,
                Double.MIN_NORMAL,
                Double.MAX_VALUE,
                -Double.MAX_VALUE,
                Math.nextUp(1.0),
                Math.nextDown(1.0),
                9007199254740992.0,
                1e308,
                1e-320,
                123456789.12345679,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                Double.NaN,
                1e15,
                1e16,
                1e17,
                1e21);
    }

    private static List<Object> texts() {
        StringBuilder controls = new StringBuilder();
        for (char c = 0; c < 0xa1; c++) {
            controls.append(c);
        }
        return List.of(
                "",
                " ",
                "  a  ",
                "a ",
                " a",
                "\t",
                "\n",
                "\r\n",
                "a\r\nb\rc\n",
                "\u0000",
                "a\u0000",
                "\u0000a",
                controls.toString(),
                "\u00e9",
                "e\u0301",
                "\ufeffa",
                "\u200b",
                "\uffff\ufffe\ufffd",
                "\ud83d\ude00",
                "\udbff\udfff",
                "1",
                "1.0",
                "true",
                "null",
                "NaN",
                "2020-01-01T00:00:00Z",
                "{}",
                "[]",
                "\"a\"",
                "\\",
                "\\n",
                "%",
                "'",
                "''",
                "x".repeat(255),
                "x".repeat(256),
                "x".repeat(1500),
                "x".repeat(1501),
                "\u00e9".repeat(751),
                "x".repeat(4001),
                "\ud83d\ude00".repeat(1024));
    }

    private static List<Object> instants() {
        return List.of(
                Instant.EPOCH,
                Instant.ofEpochMilli(1),
                Instant.ofEpochMilli(-1),
                Instant.ofEpochMilli(999),
                Instant.ofEpochMilli(-1001),
                Instant.parse("0001-01-01T00:00:00Z"),
                Instant.parse("0001-01-01T00:00:00.001Z"),
                Instant.parse("1582-10-04T12:00:00.500Z"),
                Instant.parse("1582-10-15T00:00:00Z"),
                Instant.parse("1883-11-18T12:03:58Z"),
                Instant.parse("1900-02-28T23:59:59.999Z"),
                Instant.parse("1969-12-31T23:59:59.999Z"),
                Instant.parse("2016-12-31T23:59:59.999Z"),
                Instant.parse("2024-03-31T01:30:00.123Z"),
                Instant.parse("2024-10-27T01:30:00.123Z"),
                Instant.parse("2038-01-19T03:14:08Z"),
                Instant.parse("9999-12-31T23:59:59.999Z"));
    }

    private static List<Object> bytes() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        return List.of(new byte[0], new byte[] {0}, new byte[] {-1}, new byte[] {0, 0, 0}, all, new byte[10_000]);
    }
}
