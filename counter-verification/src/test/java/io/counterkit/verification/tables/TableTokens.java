package io.counterkit.verification.tables;

import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.verification.tables.Table.Undo;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The table of tokens. */
final class TableTokens {
    private static final int CACHED = 5_000;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Tables tables;

    TableTokens(Tables tables) {
        this.tables = tables;
    }

    static IdempotencyToken ofRequest(IdempotencyToken commit, int request) {
        return IdempotencyToken.of(commit.value() + "." + request);
    }

    /** Returns a commit with the time of a call. */
    static Commit commit(Call call) {
        return new Commit(call.remaining(), RandomGenerator.getDefault(), CountersListener.disabled());
    }

    @Nullable Resolution find(IdempotencyToken token) {
        String key = tables.tokenKey(token.value());
        Instant at = tables.tokenTimes.get(key);
        if (tables.has(Mistake.TOKENS_EXPIRE_SOON)
                && at != null
                && at.isBefore(Instant.now().minus(SOON))) {
            return null;
        }
        Resolution known = tables.tokens.get(key);
        return isForgotten(token, known, at) ? null : known;
    }

    /** Returns whether only the tokens of commits are forgotten, and this is one that is old. */
    private boolean isForgotten(IdempotencyToken token, @Nullable Resolution known, @Nullable Instant at) {
        return known != null
                && at != null
                && tables.has(known.applied() ? Mistake.COMMITS_EXPIRE_SOON : Mistake.DECIDED_COMMITS_EXPIRE_SOON)
                && token.value().startsWith(Commit.TOKEN_PREFIX)
                && at.isBefore(Instant.now().minus(SOON));
    }

    /**
     * Looks for a new token again after other transactions have run, and only among those of the same name, since only
     * that name is locked.
     */
    @Nullable Resolution findAgain(IdempotencyToken token, Resolution meant) {
        tables.gap(Mistake.TOKEN_OF_ANOTHER_NAME_CHECKED_FIRST);
        Resolution known = find(token);
        boolean isOfAnotherName = known instanceof Resolution.Added added
                ? !(meant instanceof Resolution.Added own && own.counter().equals(added.counter()))
                : known instanceof Resolution.Appended appended
                        && !(meant instanceof Resolution.Appended own
                                && own.sequence().equals(appended.sequence()));
        return isOfAnotherName ? null : known;
    }

    void insert(Undo undo, IdempotencyToken token, Resolution resolution) {
        String key = tables.tokenKey(token.value());
        tables.tokens.put(undo, key, stored(resolution));
        tables.tokenTimes.put(undo, key, Instant.now());
        if (tables.has(Mistake.TOKENS_IN_A_SMALL_CACHE) && tables.tokens.rows.size() > CACHED) {
            tables.tokens.put(undo, tables.tokens.rows.firstKey(), null);
        }
    }

    /** Returns what the columns of the table hold of a resolution. */
    Resolution stored(Resolution resolution) {
        if (resolution instanceof Resolution.Added added) {
            return new Resolution.Added(column(added.counter()), added.delta());
        }
        if (resolution instanceof Resolution.Appended appended) {
            return new Resolution.Appended(
                    column(appended.sequence()),
                    tables.has(Mistake.NUMBERS_OF_TOKENS_IN_32_BITS) ? (int) appended.number() : appended.number());
        }
        return resolution;
    }

    private String column(String name) {
        if (tables.has(Mistake.NAMES_OF_TOKENS_CUT) && name.length() > 100) {
            return name.substring(0, 100);
        }
        return tables.has(Mistake.NAMES_OF_TOKENS_FOLDED) ? name.toLowerCase(Locale.ROOT) : name;
    }

    /** Makes a change once under the token of its commit. */
    void once(Undo undo, Commit commit, String name, Runnable change) {
        Resolution known = find(commit.token());
        if (known == null) {
            change.run();
            insert(undo, commit.token(), new Resolution.Done(name));
        } else if (!known.applied()) {
            throw new NotAppliedException("the token was resolved as not applied");
        }
    }
}
