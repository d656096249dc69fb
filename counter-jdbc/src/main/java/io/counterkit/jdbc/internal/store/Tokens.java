package io.counterkit.jdbc.internal.store;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.jdbc.internal.sql.Rows;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The stored tokens. The row of a token is inserted in the transaction of its change, or by the resolution that
 * prevents the change. The first insert wins; a second one waits for its transaction.
 */
final class Tokens {
    private final Statements sql;

    Tokens(Statements sql) {
        this.sql = sql;
    }

    /** Returns the rows of new tokens, in the order of the tokens. */
    Rows rows(SortedMap<String, TokenMeaning> tokens) {
        List<@Nullable Object[]> rows = new ArrayList<>(tokens.size());
        tokens.forEach((token, meaning) -> rows.add(meaning.row(token)));
        return new Rows(sql.insertTokens(), rows);
    }

    /** Returns the changes that the stored tokens among these were used for, by token. */
    Map<String, TokenMeaning> find(Session session, Collection<String> tokens) throws SQLException {
        Map<String, TokenMeaning> found = new HashMap<>();
        if (!tokens.isEmpty()) {
            session.query(sql.selectTokens(), row -> Map.entry(row.getString("token"), TokenMeaning.of(row)), tokens)
                    .forEach(token -> found.put(token.getKey(), token.getValue()));
        }
        return found;
    }

    @Nullable TokenMeaning find(Session session, String token) throws SQLException {
        return find(session, List.of(token)).get(token);
    }

    /**
     * Stores the token of a commit, and returns whether the change is still to be made.
     *
     * @throws NotAppliedException if the token was resolved as not applied
     */
    boolean tryClaim(Session session, Commit commit, String name) throws SQLException {
        String token = commit.token().value();
        TokenMeaning found = insertOrFind(session, token, new TokenMeaning.Done(name));
        if (found instanceof TokenMeaning.Never) {
            throw new NotAppliedException("token " + token + " was resolved as not applied");
        }
        return found == null;
    }

    /**
     * Stores the token of a transaction of the application. If a transaction with the token was committed before,
     * returns its numbers.
     *
     * @throws TokenRefusedException if the token was used for another change
     */
    Optional<List<Long>> begin(Session session, IdempotencyToken token) throws SQLException {
        TokenMeaning found = insertOrFind(session, token.value(), new TokenMeaning.Transaction(List.of()));
        if (found == null) {
            return Optional.empty();
        }
        if (found instanceof TokenMeaning.Transaction transaction) {
            return Optional.of(transaction.numbers());
        }
        throw new TokenRefusedException("transaction", token, found.resolution(-1));
    }

    /** Resolves a token: returns its change, or prevents any change with it. */
    Resolution resolve(Session session, IdempotencyToken token, @Nullable ChangeTarget target) throws SQLException {
        int request = target == null ? -1 : target.request();
        TokenMeaning found = insertOrFind(session, token.value(), new TokenMeaning.Never());
        return found == null ? new Resolution.NotApplied() : found.resolution(request);
    }

    /** Stores a token, unless it is stored already; then returns its change. It may expire in between. */
    private @Nullable TokenMeaning insertOrFind(Session session, String token, TokenMeaning meaning)
            throws SQLException {
        Rows row = Rows.one(sql.insertTokens(), meaning.row(token));
        for (int attempts = 0; attempts < SkippedRowsException.ATTEMPTS; attempts++) {
            if (!session.insert(List.of(row)).get(0).isEmpty()) {
                return null;
            }
            TokenMeaning found = find(session, token);
            if (found != null) {
                return found;
            }
        }
        throw new SkippedRowsException();
    }
}
