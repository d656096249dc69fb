package io.counterkit.datastore;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.spi.Call;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes tokens that need not be remembered any more. The query only suggests them: one that it lists may have been
 * removed and used again since, and a young one that is forgotten lets its change be applied twice. So each is looked at
 * in the transaction that deletes it.
 */
final class TokenPurge {
    private final Parts parts;
    private final int limit;
    private final Call call;
    private final Commits commits;
    private final Instant now;

    /** Those in a transaction whose commit may have been applied. */
    private final Set<Key> sent = new HashSet<>();

    private @Nullable List<Key> left;
    private int removed;

    TokenPurge(Parts parts, int limit, Call call) {
        this.parts = parts;
        this.limit = limit;
        this.call = call;
        this.commits = new Commits(parts.store(), call);
        this.now = parts.now();
    }

    /** Removes up to the limit, and tells how many; or fails, and goes on from there when it is tried again. */
    int run() {
        if (left == null) {
            left = parts.store().query(parts.schema().expired(now), limit, call).stream()
                    .map(Entity::getKey)
                    .toList();
        }
        while (!left.isEmpty()) {
            int most = Math.min(left.size(), ChainWriter.MOST_GROUPS);
            removed += remove(left.subList(0, most));
            left = left.subList(most, left.size());
        }
        return removed;
    }

    private int remove(List<Key> listed) {
        Transaction transaction = null;
        try {
            transaction = commits.begin();
            Map<Key, Entity> stored = parts.store().get(transaction, listed, call);
            List<Key> expired = listed.stream()
                    .filter(key -> stored.containsKey(key) && DatastoreSchema.isExpired(stored.get(key), now))
                    .toList();
            // A commit that failed was applied all the same if what it deleted is gone.
            int before = (int) listed.stream()
                    .filter(key -> sent.contains(key) && !stored.containsKey(key))
                    .count();
            if (!expired.isEmpty()) {
                parts.store().delete(transaction, expired, call);
                sent.addAll(expired);
                commits.send(transaction);
            }
            return before + expired.size();
        } finally {
            parts.store().end(transaction, call);
        }
    }
}
