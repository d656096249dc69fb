package io.counterkit.samples.h2;

import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A row for each counter that is present. */
record H2Counters(Database database) implements CounterStore {
    // docs: limits
    /**
     * A transaction with 100 adds takes hardly longer than one with a single add; more would only hold the lock longer.
     */
    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(100);
    }
    // docs: end

    // docs: add
    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        return database.change("adding to '" + requests.get(0).name() + "'", commit, connection -> {
            boolean isShared = requests.stream().anyMatch(request -> request.token() == null);
            Resolution shared = isShared ? Tokens.find(connection, commit.token()) : null;
            if (isShared && shared == null) {
                Tokens.insert(
                        connection,
                        commit.token(),
                        new Resolution.Done(requests.get(0).name()));
            }
            List<Result<Void>> results = new ArrayList<>();
            for (AddRequest request : requests) {
                IdempotencyToken token = request.token();
                results.add(
                        token == null ? addShared(connection, request, shared) : addOnce(connection, request, token));
            }
            return results;
        });
    }

    private static Result<Void> addShared(Connection connection, AddRequest request, @Nullable Resolution shared)
            throws SQLException {
        if (shared == null) {
            add(connection, request);
            return Result.applied();
        }
        return shared.applied() ? Result.applied() : Result.retry();
    }

    private static Result<Void> addOnce(Connection connection, AddRequest request, IdempotencyToken token)
            throws SQLException {
        Resolution meant = new Resolution.Added(request.name(), request.delta());
        Resolution known = Tokens.find(connection, token);
        if (known == null) {
            Tokens.insert(connection, token, meant);
            add(connection, request);
        } else if (!known.equals(meant)) {
            return Result.failed(new TokenRefusedException("add to '" + request.name() + "'", token, known));
        }
        return Result.applied();
    }
    // docs: end

    private static void add(Connection connection, AddRequest request) throws SQLException {
        Long before = total(connection, request.name());
        try (PreparedStatement merge =
                connection.prepareStatement("MERGE INTO ck_counter (name, total) KEY (name) VALUES (?, ?)")) {
            merge.setString(1, request.name());
            merge.setLong(2, before == null ? request.delta() : sum(before, request.delta()));
            merge.executeUpdate();
        }
    }

    // docs: overflow
    /** A total that left the range of the column once stays outside until a reset: its true value is lost. */
    private static long sum(long total, long delta) {
        boolean isLost = total == Long.MAX_VALUE || total == Long.MIN_VALUE;
        return isLost ? total : Limits.saturatedSum(total, delta);
    }
    // docs: end

    private static @Nullable Long total(Connection connection, String name) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT total FROM ck_counter WHERE name = ?")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getLong(1) : null;
            }
        }
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        return database.read("reading " + names.size() + " counters", call, connection -> {
            List<Result<Reading>> results = new ArrayList<>();
            for (String name : names) {
                results.add(reading(name, total(connection, name)));
            }
            return results;
        });
    }

    // docs: range
    private static Result<Reading> reading(String name, @Nullable Long stored) {
        long total = stored == null ? 0 : stored;
        return total > Limits.MAX_TOTAL || total < -Limits.MAX_TOTAL
                ? Result.failed(new CounterOverflowException(
                        "the total of '" + name + "' is outside ±2^62: bring it back with adds, or reset the counter"))
                : Result.of(new Reading(total, Instant.now(), Duration.ZERO));
    }
    // docs: end

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return change("resetting", "UPDATE ck_counter SET total = 0 WHERE name = ?", name, commit);
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        return change("deleting", "DELETE FROM ck_counter WHERE name = ?", name, commit);
    }

    private CompletableFuture<Void> change(String what, String sql, String name, Commit commit) {
        return database.change(what + " '" + name + "'", commit, connection -> {
                    Tokens.once(connection, commit.token(), name, () -> {
                        try (PreparedStatement update = connection.prepareStatement(sql)) {
                            update.setString(1, name);
                            update.executeUpdate();
                        }
                    });
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        Limits.checkCursor(cursor);
        return database.read(
                "listing counters",
                call,
                connection -> Names.page(connection, "ck_counter WHERE TRUE", prefix, cursor, limit));
    }
}
