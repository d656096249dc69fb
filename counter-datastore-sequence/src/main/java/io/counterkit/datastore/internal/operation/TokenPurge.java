package io.counterkit.datastore.internal.operation;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.datastore.internal.chain.ChainWriter;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.RetryLoop;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.TokenFormat;
import io.counterkit.spi.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes expired tokens in two steps, because the store has no clock and that of the process that used a token may be
 * wrong. The first purge that finds a token expired by its writer's clock sets the end of its retention again, by the clock
 * of the purge. A later purge removes it after that. So the time between two purges decides, and no writer's clock.
 *
 * <p>The query only suggests tokens: a token that it lists may have been removed and used again since then, and a change is
 * applied twice if its token is forgotten early. So each token is read in the transaction that changes it.
 */
public final class TokenPurge {
    private final DatastoreContext context;
    private final Call call;
    private final RetryLoop loop;
    private final Instant now;

    /** The keys of tokens in a transaction whose commit may have been applied. */
    private final Set<Key> sent = new HashSet<>();

    public TokenPurge(DatastoreContext context, Call call) {
        this.context = context;
        this.call = call;
        this.loop = context.loop("purging tokens", "tokens", call, null);
        this.now = context.now();
    }

    /** Marks or removes up to {@code limit} tokens and returns how many. */
    public int run(int limit) {
        List<Key> listed =
                loop.run(() -> context.client().query(context.keys().expiredTokens(now), limit, call)).stream()
                        .map(Entity::getKey)
                        .toList();
        int done = 0;
        for (int from = 0; from < listed.size(); from += ChainWriter.MOST_GROUPS) {
            List<Key> group = listed.subList(from, Math.min(from + ChainWriter.MOST_GROUPS, listed.size()));
            done += loop.runInTransaction(transaction -> plan(transaction, group));
        }
        return done;
    }

    private WritePlan<Integer> plan(Transaction transaction, List<Key> listed) {
        Map<Key, Entity> found = context.client().get(transaction, listed, call);
        List<Key> removed = new ArrayList<>();
        List<Entity> seen = new ArrayList<>();
        int before = 0;
        for (Key key : listed) {
            Entity token = found.get(key);
            if (token == null || !TokenFormat.isExpired(token, now)) {
                // If a commit of this purge failed but its effect is there, it was applied.
                boolean isDone = token == null || TokenFormat.isSeenByPurge(token);
                before += isDone && sent.contains(key) ? 1 : 0;
            } else if (TokenFormat.isSeenByPurge(token)) {
                removed.add(key);
            } else {
                TokenFormat.setSeenByPurge(token, now, context.expires());
                seen.add(token);
            }
        }
        sent.addAll(removed);
        seen.forEach(token -> sent.add(token.getKey()));
        int done = before + removed.size() + seen.size();
        return new WritePlan<>(List.of(), seen, removed, () -> done);
    }
}
