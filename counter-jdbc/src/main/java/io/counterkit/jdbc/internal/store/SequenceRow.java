package io.counterkit.jdbc.internal.store;

import io.counterkit.CorruptDataException;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.jdbc.internal.sql.Rows;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.spi.NameState;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row of a sequence.
 *
 * @param millis the time of the seal, or the current time if the row was locked; milliseconds since 1970
 */
record SequenceRow(
        String name, long last, long live, @Nullable String forward, long millis) {
    SequenceRow {
        if (last < 0) {
            throw new CorruptDataException("'" + name + "' has the last number " + last);
        }
    }

    static List<SequenceRow> find(Session session, Statements sql, Collection<String> names) throws SQLException {
        return session.query(
                sql.sequences().selectSequences(),
                row -> new SequenceRow(
                        row.getString("name"),
                        row.getLong("last"),
                        row.getLong("live"),
                        row.getString("forward"),
                        row.getLong("sealed_at")),
                names);
    }

    /**
     * Locks a sequence until the transaction ends. Creates the row of a new one, which is not listed while it is empty.
     */
    static SequenceRow lock(Session session, Statements sql, String name) throws SQLException {
        List<SequenceRow> found = tryLock(session, sql, name);
        if (found.isEmpty()) {
            session.insert(List.of(Rows.one(sql.sequences().createSequences(), name, 0L, 0L)));
            found = tryLock(session, sql, name);
        }
        if (found.isEmpty()) {
            throw new SkippedRowsException();
        }
        return found.get(0);
    }

    private static List<SequenceRow> tryLock(Session session, Statements sql, String name) throws SQLException {
        return session.query(
                sql.sequences().lockSequence(),
                row -> new SequenceRow(name, row.getLong(1), row.getLong(2), row.getString(3), row.getLong(4)),
                name);
    }

    @Nullable Seal seal() {
        return forward == null ? null : new Seal(forward, last, live);
    }

    Tail tail() {
        return new Tail(last, live, seal());
    }

    NameState state() {
        return new NameState(last > 0, seal(), forward == null ? null : Instant.ofEpochMilli(millis));
    }
}
