package io.counterkit.jdbc.internal.store;

import io.counterkit.CounterOverflowException;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.spi.Limits;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The row of a counter. */
record CounterRow(
        String name,
        long total,
        boolean isPresent,
        @Nullable String forward,
        long sealedAt) {
    static List<CounterRow> find(Session session, Statements sql, Collection<String> names) throws SQLException {
        return session.query(
                sql.selectCounters(),
                row -> new CounterRow(
                        row.getString("name"),
                        row.getLong("total"),
                        row.getBoolean("present"),
                        row.getString("forward"),
                        row.getLong("sealed_at")),
                names);
    }

    /** Returns a counter; null if it does not exist. */
    static @Nullable CounterRow find(Session session, Statements sql, String name) throws SQLException {
        List<CounterRow> found = find(session, sql, List.of(name));
        return found.isEmpty() ? null : found.get(0);
    }

    /** Returns the stored seal of a counter; null if it has none. */
    static @Nullable Seal seal(Session session, Statements sql, String name) throws SQLException {
        CounterRow found = find(session, sql, name);
        return found == null ? null : found.seal();
    }

    @Nullable Seal seal() {
        return forward == null ? null : new Seal(forward, total, total);
    }

    NameState state() {
        return new NameState(isPresent, seal(), forward == null ? null : Instant.ofEpochMilli(sealedAt));
    }

    static Result<Reading> reading(String name, long total) {
        return total > Limits.MAX_TOTAL || total < -Limits.MAX_TOTAL
                ? Result.failed(new CounterOverflowException(
                        "the total of '" + name + "' is outside ±2^62: add the opposite, or reset it"))
                : Result.of(new Reading(total, Instant.now(), Duration.ZERO));
    }
}
