package io.counterkit.jdbc.internal.store;

import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.jdbc.internal.sql.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts an entry to a row and back. */
final class EntryRow {
    /** The fields of an erased entry. */
    static final byte[] ERASED = {};

    private EntryRow() {}

    static @Nullable Object[] of(String sequence, Entry entry) {
        return new @Nullable Object[] {
            entry.number(),
            sequence,
            entry.appendedAt().toEpochMilli(),
            entry.change().name().toLowerCase(Locale.ROOT),
            entry.subject(),
            entry.erased() ? ERASED : FieldCodec.encode(entry.fields()),
            entry.liveCount(),
            entry.erased()
        };
    }

    static Entry read(String sequence, ResultSet row) throws SQLException {
        long number = row.getLong("number");
        String where = "entry " + number + " of '" + sequence + "'";
        boolean isErased = row.getBoolean("erased");
        return new Entry(
                number,
                Instant.ofEpochMilli(row.getLong("appended_at")),
                change(where, row.getString("change")),
                row.getString("subject"),
                isErased ? Map.of() : FieldCodec.decode(where, row.getBytes("fields")),
                row.getLong("live"),
                isErased);
    }

    private static Change change(String where, String stored) {
        for (Change change : Change.values()) {
            if (change.name().toLowerCase(Locale.ROOT).equals(stored)) {
                return change;
            }
        }
        throw new CorruptDataException(where + " has the unknown change '" + stored + "'");
    }

    /** Returns the numbers of the entries that an insert has not written. */
    static List<Long> unwritten(List<Entry> entries, Set<String> written) {
        return entries.stream()
                .map(Entry::number)
                .filter(number -> !written.contains(String.valueOf(number)))
                .distinct()
                .toList();
    }

    /** Returns the numbers whose entries are stored. */
    static List<Long> stored(Session session, Statements sql, String sequence, List<Long> numbers) throws SQLException {
        return numbers.isEmpty()
                ? List.of()
                : session.query(sql.sequences().selectEntryNumbers(), row -> row.getLong(1), sequence, numbers);
    }
}
