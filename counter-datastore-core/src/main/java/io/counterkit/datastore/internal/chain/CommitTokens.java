package io.counterkit.datastore.internal.chain;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.datastore.internal.schema.TokenFormat;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.spi.Commit;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tokens that cover a change: the tokens of callers, and the commit's own token for requests without one. */
public final class CommitTokens {
    private final DatastoreKeys keys;
    private final Commit commit;
    private final Instant now;
    private final Instant expires;
    private final Map<IdempotencyToken, StoreKey> stored = new LinkedHashMap<>();

    /** @param callers a token for each request; null for one that the commit's own token covers */
    public CommitTokens(DatastoreContext context, List<@Nullable IdempotencyToken> callers, Commit commit) {
        this.keys = context.keys();
        this.commit = commit;
        this.now = context.now();
        this.expires = context.expires();
        for (IdempotencyToken token : callers) {
            stored.computeIfAbsent(token(token), keys::token);
        }
    }

    /** Creates the tokens of a change that only the commit's own token covers. */
    public static CommitTokens own(DatastoreContext context, Commit commit) {
        IdempotencyToken own = commit.token();
        return new CommitTokens(context, List.of(own), commit);
    }

    /** Returns the keys of the tokens. */
    public List<StoreKey> keys() {
        return List.copyOf(stored.values());
    }

    /** Returns the caller's token, or the commit's own for null. */
    public IdempotencyToken token(@Nullable IdempotencyToken caller) {
        return caller == null ? commit.token() : caller;
    }

    /** Returns the change that a token was used for, or null if the token is not stored. */
    public @Nullable TokenNote note(@Nullable IdempotencyToken caller, Map<StoreKey, StoreEntity> found) {
        StoreEntity entity = found.get(stored.get(token(caller)));
        return entity == null ? null : TokenFormat.read(entity);
    }

    /** Returns the failure of a change whose own token was resolved as not applied. */
    public NotAppliedException voided(String what) {
        return new NotAppliedException(what + ": token " + commit.token() + " was resolved as not applied");
    }

    /** Creates the entity of a token, to be put together with the change. */
    public StoreEntity entity(@Nullable IdempotencyToken caller, TokenNote note) {
        return TokenFormat.entity(keys, token(caller), note, expires);
    }

    /** Returns when the change is made, in whole milliseconds. */
    public Instant now() {
        return now;
    }
}
