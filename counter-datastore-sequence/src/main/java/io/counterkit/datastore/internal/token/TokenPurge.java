package io.counterkit.datastore.internal.token;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.datastore.internal.chain.ChainWriter;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.Commits;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.spi.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes tokens that need not be remembered any more, in two looks, because the store tells no time and the clock of the
 * process that used a token may be wrong. The first look at a token that is expired by its writer's clock sets the end of
 * its retention again, by the clock of the purge; a later one removes it when that has passed. What a token is removed by
 * is then the time between two looks, which no writer's clock changes.
 *
 * <p>The query only suggests tokens: one that it lists may have been removed and used again since, and a young one that is
 * forgotten lets its change be applied twice. So each is looked at in the transaction that changes it.
 */
public final class TokenPurge {
    private final DatastoreContext parts;
    private final int limit;
    private final Call call;
    private final Commits commits;
    private final Instant now;

    /** Those in a transaction whose commit may have been applied. */
    private final Set<Key> sent = new HashSet<>();

    private @Nullable List<Key> left;
    private int done;

    public TokenPurge(DatastoreContext parts, int limit, Call call) {
        this.parts = parts;
        this.limit = limit;
        this.call = call;
        this.commits = new Commits(parts.store(), call);
        this.now = parts.now();
    }

    /** Sees or removes up to the limit and returns how many; or fails, and continues there when it is tried again. */
    public int run() {
        if (left == null) {
            left = parts.store().query(parts.schema().expired(now), limit, call).stream()
                    .map(Entity::getKey)
                    .toList();
        }
        while (!left.isEmpty()) {
            int most = Math.min(left.size(), ChainWriter.MOST_GROUPS);
            done += look(left.subList(0, most));
            left = left.subList(most, left.size());
        }
        return done;
    }

    private int look(List<Key> listed) {
        Transaction transaction = null;
        try {
            transaction = commits.begin();
            Map<Key, Entity> stored = parts.store().get(transaction, listed, call);
            List<Key> removed = new ArrayList<>();
            List<Entity> seen = new ArrayList<>();
            int before = 0;
            for (Key key : listed) {
                Entity token = stored.get(key);
                if (token == null || !DatastoreSchema.isExpired(token, now)) {
                    // A commit that failed was applied all the same if what it did is there.
                    boolean isDone = token == null || DatastoreSchema.isSeenByPurge(token);
                    before += isDone && sent.contains(key) ? 1 : 0;
                } else if (DatastoreSchema.isSeenByPurge(token)) {
                    removed.add(key);
                } else {
                    DatastoreSchema.setSeenByPurge(token, now, parts.expires());
                    seen.add(token);
                }
            }
            send(transaction, removed, seen);
            return before + removed.size() + seen.size();
        } finally {
            parts.store().end(transaction, call);
        }
    }

    private void send(Transaction transaction, List<Key> removed, List<Entity> seen) {
        if (removed.isEmpty() && seen.isEmpty()) {
            return;
        }
        if (!removed.isEmpty()) {
            parts.store().delete(transaction, removed, call);
            sent.addAll(removed);
        }
        if (!seen.isEmpty()) {
            parts.store().put(transaction, seen, call);
            seen.forEach(token -> sent.add(token.getKey()));
        }
        commits.send(transaction);
    }
}
