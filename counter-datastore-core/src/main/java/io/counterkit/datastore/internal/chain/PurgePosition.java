package io.counterkit.datastore.internal.chain;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the next query for expired tokens starts: at the expiry of the last token that this process purged. A query from
 * the beginning would pass all index rows of tokens that were removed before, which the store keeps for a while, and so
 * be slower the more tokens are purged: Google's best practices for the Datastore, on deletes.
 *
 * <p>A token may appear before the position, where an index lags or a writer's clock is far behind. So once in each
 * retention a query starts at the beginning. Thread-safe.
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

    /** Stores that all tokens up to this expiry were purged. */
    public synchronized void reach(Instant expiry) {
        if (reached == null || expiry.isAfter(reached)) {
            reached = expiry;
        }
    }
}
