package io.counterkit.datastore.internal.operation;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.chain.PurgePosition;
import io.counterkit.datastore.internal.schema.TokenFormat;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.datastore.internal.store.RetryLoop;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreQuery;
import io.counterkit.datastore.internal.store.StoreTransaction;
import io.counterkit.datastore.internal.store.WritePlan;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Limits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The tokens of a Datastore: decides the outcome of a change by its token, and removes expired tokens. */
public record DatastoreTokens(DatastoreContext context) {
    private static final int MOST_AT_ONCE = 500;

    /**
     * Decides the outcome of a change. The first creation of the token's entity wins: by the change, or by a resolution
     * that does not find it. A change that arrives later fails because the entity exists.
     */
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        List<String> names = target == null ? List.of() : List.of(target.name());
        return context.run(() -> context.loop("resolving token " + token, names, call, null)
                .runInTransaction(transaction -> planResolution(transaction, token, target, call)));
    }

    private WritePlan<Resolution> planResolution(
            StoreTransaction transaction, IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        StoreKey key = context.keys().token(token);
        StoreEntity stored = context.client().find(transaction, key, call);
        if (stored != null) {
            return WritePlan.nothing(TokenFormat.read(stored).resolution(target));
        }
        StoreEntity voided = TokenFormat.entity(context.keys(), token, new TokenNote.Voided(), context.expires());
        return WritePlan.puts(List.of(voided), new Resolution.NotApplied());
    }

    /**
     * Marks or removes up to {@code limit} expired tokens and returns their number. A removal takes two steps, because
     * the store has no clock and the clock of the process that used a token may be wrong. The first purge that finds a
     * token expired by its writer's clock sets a new end of its retention by its own clock. A later purge removes the
     * token after that end. So the clocks of writers do not matter.
     *
     * <p>The query starts at the last token that this process purged: see {@link PurgePosition}. Its result may be
     * outdated: a listed token may have been removed and used again, and a change could be applied twice if its token
     * were removed early. So each token is read in the transaction that changes it.
     */
    public int purge(int limit) {
        Limits.checkBetween("limit", limit, 1, MOST_AT_ONCE);
        context.client().checkThread();
        Call call = context.ownCall();
        Instant now = context.now();
        RetryLoop loop = context.loop("purging tokens", List.of(), call, null);
        PurgePosition position = context.purgePosition();
        StoreQuery due = context.keys()
                .expiredTokens(position.next(now, context.options().retention()), now);
        List<StoreKey> listed = loop.run(() -> context.client().query(due, limit, call)).stream()
                .map(StoreEntity::key)
                .toList();
        Set<StoreKey> sent = new HashSet<>();
        List<Instant> purged = new ArrayList<>();
        int done = 0;
        for (List<StoreKey> group : context.groups(listed)) {
            done += loop.runInTransaction(transaction -> planPurge(transaction, group, now, sent, purged, call));
        }
        purged.forEach(position::reach);
        return done;
    }

    /**
     * @param sent the keys of tokens in a transaction whose commit may have been applied
     * @param purged receives the expiry of each token that is marked or removed
     */
    private WritePlan<Integer> planPurge(
            StoreTransaction transaction,
            List<StoreKey> listed,
            Instant now,
            Set<StoreKey> sent,
            List<Instant> purged,
            Call call) {
        Map<StoreKey, StoreEntity> found = context.client().get(transaction, listed, call);
        List<StoreKey> removed = new ArrayList<>();
        List<StoreEntity> marked = new ArrayList<>();
        int before = 0;
        for (StoreKey key : listed) {
            StoreEntity token = found.get(key);
            if (token == null || !TokenFormat.isExpired(token, now)) {
                // If a commit of this purge failed and its effect is stored, the commit was applied.
                boolean isDone = token == null || TokenFormat.isSeenByPurge(token);
                before += isDone && sent.contains(key) ? 1 : 0;
            } else if (TokenFormat.isSeenByPurge(token)) {
                purged.add(TokenFormat.expiry(token));
                removed.add(key);
            } else {
                purged.add(TokenFormat.expiry(token));
                TokenFormat.setSeenByPurge(token, now, context.expires());
                marked.add(token);
            }
        }
        sent.addAll(removed);
        marked.forEach(token -> sent.add(token.key()));
        int done = before + removed.size() + marked.size();
        return new WritePlan<>(List.of(), marked, removed, () -> done);
    }
}
