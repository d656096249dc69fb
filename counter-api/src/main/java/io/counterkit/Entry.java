package io.counterkit;

import io.counterkit.spi.Fields;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One numbered entry of a sequence. Immutable, except that its fields may be erased in the store.
 *
 * @param number the number: 1, 2, 3, … without a gap
 * @param appendedAt the time of the append in whole milliseconds, by the store's clock or, if it has none, by the clock
 *     of the process that appended. It is for display: the numbers define the order
 * @param change the effect of the entry on its subject; {@link Change#ADDED} without a subject
 * @param subject the item that the entry adds, updates or removes; null if there is none
 * @param fields the fields in no particular order; values are String, Long, Double, Boolean, Instant or byte[]. A
 *     byte[] is cloned each time it is read. Empty if erased
 * @param liveCount the live count of the sequence after this entry
 * @param erased whether the fields were erased
 */
public record Entry(
        long number,
        Instant appendedAt,
        Change change,
        @Nullable String subject,
        Map<String, Object> fields,
        long liveCount,
        boolean erased) {
    public Entry {
        Objects.requireNonNull(appendedAt, "appendedAt");
        Objects.requireNonNull(change, "change");
        fields = Fields.copyOf(fields);
    }

    /** Returns a copy with erased fields. {@link Sequence#erase} erases them in the store. */
    public Entry withoutFields() {
        return new Entry(number, appendedAt, change, subject, Map.of(), liveCount, true);
    }

    /** Compares all components, byte arrays by their content. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Entry entry
                && number == entry.number
                && appendedAt.equals(entry.appendedAt)
                && change == entry.change
                && Objects.equals(subject, entry.subject)
                && Fields.areEqual(fields, entry.fields)
                && liveCount == entry.liveCount
                && erased == entry.erased;
    }

    @Override
    public int hashCode() {
        return Objects.hash(number, appendedAt, change, subject, fields.keySet(), liveCount, erased);
    }
}
