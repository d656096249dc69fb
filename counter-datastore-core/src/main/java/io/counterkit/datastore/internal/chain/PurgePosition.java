package io.counterkit.datastore.internal.chain;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The start of the next query for expired tokens: the expiry of the last token that this process purged. A query from
 * the beginning would scan the index rows of all removed tokens, which the store keeps for a while, and become slower
 * with each purge: see Google's best practices for the Datastore, on deletes.
 *
 * <p>A token may appear before the position if an index lags or a writer's clock is far behind. So one query in each
 * retention starts at the beginning. Thread-safe.
 */
public final class PurgePosition {
    private @Nullable Instant reached;
    private @Nullable Instant begun;

    /** Returns the least expiry of the tokens to look for, or null to start at the beginning. */
    public synchronized @Nullable Instant next(Instant now, Duration retention) {
        if (begun == null
                || Duration.between(begun, now).isNegative()
                || Duration.between(begun, now).compareTo(retention) >= 0) {
            begun = now;
            reached = null;
        }
        return reached;
    }

    /** Remembers that all tokens up to this expiry were purged. */
    public synchronized void reach(Instant expiry) {
        if (reached == null || expiry.isAfter(reached)) {
            reached = expiry;
        }
    }
}
