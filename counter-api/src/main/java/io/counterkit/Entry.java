package io.counterkit;

import io.counterkit.spi.Fields;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One numbered entry of a sequence. It never changes, but that its fields may be erased.
 *
 * @param number its number: 1, 2, 3, … without a gap
 * @param appendedAt when it was appended, in whole milliseconds by the clock of the process or store that did; for
 *     people to read: the numbers tell the order
 * @param change what it did to its subject; {@link Change#ADDED} for an entry without one
 * @param subject what it is a revision of, or null
 * @param fields what was appended: in no particular order; values are String, Long, Double, Boolean, Instant or byte[]; empty
 *     when erased
 * @param liveCount how many entries of the sequence were live right after this one
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

    /** A copy of this entry as it is once its fields are erased; {@link Sequence#erase} erases them. */
    public Entry withoutFields() {
        return new Entry(number, appendedAt, change, subject, Map.of(), liveCount, true);
    }

    /** Equal if everything is, byte arrays by their content. */
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
