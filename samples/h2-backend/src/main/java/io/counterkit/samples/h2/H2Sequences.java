package io.counterkit.samples.h2;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A row for each entry. */
record H2Sequences(Database database) implements SequenceStore {
    private static final String COLUMNS = "number, appended_at, change, subject, fields, live_count";

    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(50);
    }

    // docs: append
    @Override
    public CompletableFuture<List<Result<Entry>>> append(String name, List<AppendRequest> requests, Commit commit) {
        return database.change("appending to '" + name + "'", commit, connection -> {
            List<Result<Entry>> results = new ArrayList<>();
            for (AppendRequest request : requests) {
                IdempotencyToken own = request.token();
                IdempotencyToken token = own != null ? own : Tokens.ofRequest(commit.token(), results.size());
                results.add(append(connection, name, request, token));
            }
            return results;
        });
    }

    private static Result<Entry> append(
            Connection connection, String name, AppendRequest request, IdempotencyToken token) throws SQLException {
        Resolution known = Tokens.find(connection, token);
        if (known != null) {
            return repeated(connection, name, request, token, known);
        }
        String subject = request.subject();
        ChangeRefusedException refusal = request.refusal(name, subject != null && isLive(connection, name, subject));
        if (refusal != null) {
            return Result.failed(refusal);
        }
        Tail tail = tail(connection, name);
        Entry entry = new Entry(
                tail.last() + 1,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                request.change(),
                subject,
                request.fields(),
                tail.liveCount() + request.change().delta(),
                false);
        insert(connection, name, entry);
        Tokens.insert(connection, token, new Resolution.Appended(name, entry.number()));
        return Result.of(entry);
    }
    // docs: end

    private static Result<Entry> repeated(
            Connection connection, String name, AppendRequest request, IdempotencyToken token, Resolution known)
            throws SQLException {
        if (known instanceof Resolution.Appended appended && appended.sequence().equals(name)) {
            Entry first = read(connection, name, new NumberRange(appended.number(), appended.number()))
                    .get(0);
            if (request.matches(first)) {
                return Result.of(first);
            }
        }
        return Result.failed(new TokenRefusedException("append to '" + name + "'", token, known));
    }

    private static boolean isLive(Connection connection, String name, String subject) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT change FROM ck_entry WHERE name = ? AND subject = ? ORDER BY number DESC LIMIT 1")) {
            select.setString(1, name);
            select.setString(2, subject);
            try (ResultSet row = select.executeQuery()) {
                return row.next() && !row.getString(1).equals(Change.REMOVED.name());
            }
        }
    }

    private static void insert(Connection connection, String name, Entry entry) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO ck_entry VALUES (?, ?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, name);
            insert.setLong(2, entry.number());
            insert.setLong(3, entry.appendedAt().toEpochMilli());
            insert.setString(4, entry.change().name());
            insert.setString(5, entry.subject());
            insert.setBytes(6, FieldCodec.encode(entry.fields()));
            insert.setLong(7, entry.liveCount());
            insert.executeUpdate();
        }
    }

    @Override
    public CompletableFuture<Tail> tail(String name, Call call) {
        return database.read("reading the tail of '" + name + "'", call, connection -> tail(connection, name));
    }

    private static Tail tail(Connection connection, String name) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT number, live_count FROM ck_entry WHERE name = ? ORDER BY number DESC LIMIT 1")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? new Tail(row.getLong(1), row.getLong(2), null) : Tail.EMPTY;
            }
        }
    }

    @Override
    public CompletableFuture<List<Entry>> read(String name, NumberRange range, Call call) {
        return database.read("reading '" + name + "'", call, connection -> read(connection, name, range));
    }

    private static List<Entry> read(Connection connection, String name, NumberRange range) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT " + COLUMNS + " FROM ck_entry WHERE name = ? AND number BETWEEN ? AND ? ORDER BY number")) {
            select.setString(1, name);
            select.setLong(2, range.from());
            select.setLong(3, range.to());
            List<Entry> entries = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    entries.add(entry(rows));
                }
            }
            return entries;
        }
    }

    private static Entry entry(ResultSet row) throws SQLException {
        byte @Nullable [] fields = row.getBytes(5);
        return new Entry(
                row.getLong(1),
                Instant.ofEpochMilli(row.getLong(2)),
                Change.valueOf(row.getString(3)),
                row.getString(4),
                fields == null ? Map.of() : FieldCodec.decode(fields),
                row.getLong(6),
                fields == null);
    }

    // docs: erase
    /** An entry without fields is erased: an entry that was appended without fields has an encoding too. */
    @Override
    public CompletableFuture<Boolean> erase(String name, long number, Commit commit) {
        return database.change("erasing entry " + number + " of '" + name + "'", commit, connection -> {
            boolean exists = number <= tail(connection, name).last();
            if (exists) {
                Tokens.once(connection, commit.token(), name, () -> {
                    try (PreparedStatement update = connection.prepareStatement(
                            "UPDATE ck_entry SET fields = NULL WHERE name = ? AND number = ?")) {
                        update.setString(1, name);
                        update.setLong(2, number);
                        update.executeUpdate();
                    }
                });
            }
            return exists;
        });
    }
    // docs: end

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        Limits.checkCursor(cursor);
        return database.read(
                "listing sequences",
                call,
                connection -> Names.page(connection, "ck_entry WHERE number = 1", prefix, cursor, limit));
    }
}
