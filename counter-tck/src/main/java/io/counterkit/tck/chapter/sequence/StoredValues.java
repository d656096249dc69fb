package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Entry;
import io.counterkit.Sequence;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Compares the fields of entries with those that were appended, to the last bit. */
final class StoredValues {
    private StoredValues() {}

    /** Checks all entries of a sequence in one read. */
    static void assertSame(Sequence sequence, List<Map<String, Object>> expected) {
        List<Entry> entries = sequence.read(1, expected.size());
        assertThat(entries).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertSame(entries.get(i), expected.get(i));
        }
    }

    static void assertSame(Entry entry, Map<String, Object> fields) {
        assertThat(entry.erased())
                .as("whether an entry that was appended with %s fields is erased", fields.size())
                .isFalse();
        assertThat(entry.fields()).containsOnlyKeys(fields.keySet());
        fields.forEach((name, value) -> {
            Object read = entry.fields().get(name);
            if (value instanceof byte[] bytes) {
                assertThat((byte[]) read).as("the bytes of the field %s", name).isEqualTo(bytes);
            } else if (value instanceof Double number) {
                assertThat(read)
                        .as("the field %s, which was appended as %s", name, value)
                        .isInstanceOf(Double.class);
                assertThat(Double.doubleToLongBits((Double) Objects.requireNonNull(read)))
                        .as("the bits of the field %s, which was appended as %s and read as %s", name, value, read)
                        .isEqualTo(Double.doubleToLongBits(number));
            } else {
                assertThat(read).as("the field %s", name).isEqualTo(value);
            }
        });
    }
}
