package io.counterkit.tck.chapter.migration;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Entries of another store that a copy may change: each component has extreme values, or is missing. */
final class UnusualEntries {
    private static final List<Instant> TIMES = List.of(
            Instant.EPOCH,
            Instant.ofEpochMilli(-1),
            Instant.ofEpochMilli(999),
            Instant.parse("0001-01-01T00:00:00Z"),
            Instant.parse("1582-10-04T12:00:00.500Z"),
            Instant.parse("2038-01-19T03:14:08Z"),
            Instant.parse("2300-01-01T00:00:00.001Z"),
            Instant.parse("9999-12-31T23:59:59.999Z"));

    private static final List<Long> LIVE_COUNTS = List.of(-1L, (1L << 32) + 1, (1L << 53) + 1, -(1L << 53) - 1);

    private static final List<String> SUBJECTS =
            List.of("s", "S", " s", "s ", "\u00e9", "e\u0301", "null", "/", SimilarTexts.longUnusual("s"));

    /** Names that a backend may use for its own columns, properties or attributes, or may treat as equal. */
    private static final List<String> FIELDS = List.of(
            ("number subject change fields live_count liveCount erased appended_at appendedAt copied value Value VALUE"
                            + " $type _id a.b a_b")
                    .split(" "));

    private UnusualEntries() {}

    /** Returns entries with the numbers 1, 2, 3, … */
    static List<Entry> all() {
        List<Entry> entries = new ArrayList<>();
        LIVE_COUNTS.forEach(live -> entries.add(next(entries, Instant.EPOCH, Change.REMOVED, "s", Map.of(), live)));
        TIMES.forEach(time -> entries.add(next(entries, time, Change.ADDED, null, Map.of(), 1)));
        for (String subject : SUBJECTS) {
            for (Change change : Change.values()) {
                entries.add(next(entries, Instant.EPOCH, change, subject, Map.of("value", subject), 0));
            }
            entries.add(next(entries, Instant.EPOCH, Change.ADDED, subject, Map.of(), 2));
        }
        Map<String, Object> fields = new HashMap<>();
        FIELDS.forEach(name -> fields.put(name, "field " + name));
        SimilarTexts.alone().forEach(name -> fields.put(name, -7L));
        entries.add(next(entries, Instant.EPOCH, Change.UPDATED, "s", fields, 3));
        entries.add(next(entries, Instant.EPOCH, Change.ADDED, null, Map.of("empty", "", "bytes", new byte[0]), 4));
        entries.add(next(entries, Instant.EPOCH, Change.ADDED, null, fields, 5).withoutFields());
        entries.add(
                next(entries, Instant.EPOCH, Change.REMOVED, "s", Map.of(), 0).withoutFields());
        return entries;
    }

    private static Entry next(
            List<Entry> entries,
            Instant time,
            Change change,
            @Nullable String subject,
            Map<String, Object> fields,
            long liveCount) {
        return new Entry(entries.size() + 1L, time, change, subject, fields, liveCount, false);
    }
}
