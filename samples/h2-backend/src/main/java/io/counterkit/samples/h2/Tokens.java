package io.counterkit.samples.h2;

import io.counterkit.CorruptDataException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The change that each token was used for. A row is written in the transaction of its change, or by the resolution that prevents it.
 */
final class Tokens {
    private Tokens() {}

    // docs: request
    /** Returns the token of one of the appends that share the token of a commit: each gets a number of its own. */
    static IdempotencyToken ofRequest(IdempotencyToken commit, int request) {
        return IdempotencyToken.of(commit.value() + "." + request);
    }
    // docs: end

    static @Nullable Resolution find(Connection connection, IdempotencyToken token) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT kind, name, number FROM ck_token WHERE token = ?")) {
            select.setString(1, token.value());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? resolution(row.getString(1), row.getString(2), row.getLong(3)) : null;
            }
        }
    }

    private static Resolution resolution(String kind, String name, long number) {
        return switch (kind) {
            case "added" -> new Resolution.Added(name, number);
            case "appended" -> new Resolution.Appended(name, number);
            case "done" -> new Resolution.Done(name);
            case "void" -> new Resolution.NotApplied();
            default -> throw new CorruptDataException("the table ck_token holds a token of kind '" + kind + "'");
        };
    }

    static void insert(Connection connection, IdempotencyToken token, Resolution resolution) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ck_token VALUES (?, ?, ?, ?, ?)")) {
            insert.setString(1, token.value());
            if (resolution instanceof Resolution.Added added) {
                set(insert, "added", added.counter(), added.delta());
            } else if (resolution instanceof Resolution.Appended appended) {
                set(insert, "appended", appended.sequence(), appended.number());
            } else if (resolution instanceof Resolution.Done done) {
                set(insert, "done", done.name(), 0);
            } else {
                set(insert, "void", "", 0);
            }
            insert.setLong(5, Instant.now().toEpochMilli());
            insert.executeUpdate();
        }
    }

    private static void set(PreparedStatement insert, String kind, String name, long number) throws SQLException {
        insert.setString(2, kind);
        insert.setString(3, name);
        insert.setLong(4, number);
    }

    // docs: once
    /** Applies a change, unless one was applied with its token before. */
    static void once(Connection connection, IdempotencyToken token, String name, Change change) throws SQLException {
        Resolution known = find(connection, token);
        if (known == null) {
            change.run();
            insert(connection, token, new Resolution.Done(name));
        } else if (!known.applied()) {
            throw new NotAppliedException("token " + token + " was resolved as not applied");
        }
    }
    // docs: end

    /** Deletes the tokens that are older, and returns how many. */
    static int purge(Connection connection, Instant oldest) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM ck_token WHERE created_at < ?")) {
            delete.setLong(1, oldest.toEpochMilli());
            return delete.executeUpdate();
        }
    }

    /** A change inside a transaction. */
    interface Change {
        void run() throws SQLException;
    }
}
