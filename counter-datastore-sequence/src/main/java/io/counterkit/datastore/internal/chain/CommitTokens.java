package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.IdempotencyToken;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.Commit;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tokens that cover a change: those of callers, and the commit's own for whoever has none. */
public final class CommitTokens {
    private final DatastoreSchema schema;
    private final Commit commit;
    private final Instant now;
    private final Instant expires;
    private final Map<IdempotencyToken, Key> keys = new LinkedHashMap<>();

    /**
     * @param callers a token for each request; null for one that the commit's own covers
     * @param expires when they need not be remembered any more
     */
    public CommitTokens(
            DatastoreSchema schema,
            List<@Nullable IdempotencyToken> callers,
            Commit commit,
            Instant now,
            Instant expires) {
        this.schema = schema;
        this.commit = commit;
        this.now = now;
        this.expires = expires;
        for (IdempotencyToken token : callers) {
            keys.computeIfAbsent(of(token), schema::tokenKey);
        }
    }

    /** The commit's own alone. */
    static CommitTokens own(DatastoreSchema schema, Commit commit, Instant now, Instant expires) {
        IdempotencyToken own = commit.token();
        return new CommitTokens(schema, List.of(own), commit, now, expires);
    }

    public List<Key> keys() {
        return List.copyOf(keys.values());
    }

    /** The caller's token, or the commit's own. */
    public IdempotencyToken of(@Nullable IdempotencyToken caller) {
        return caller == null ? commit.token() : caller;
    }

    public Key keyOf(@Nullable IdempotencyToken caller) {
        return Objects.requireNonNull(keys.get(of(caller)));
    }

    /** What is to be stored under a token, together with the change. */
    public Entity note(@Nullable IdempotencyToken caller, TokenNote note) {
        return schema.token(of(caller), note, expires);
    }

    /** When the change is made, in whole milliseconds. */
    public Instant now() {
        return now;
    }
}
