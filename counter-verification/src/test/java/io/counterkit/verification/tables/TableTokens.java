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
        return tables.tokens.get(key);
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
