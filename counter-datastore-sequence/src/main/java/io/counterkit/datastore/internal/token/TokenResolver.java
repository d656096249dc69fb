package io.counterkit.datastore.internal.token;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.internal.client.Commits;
import io.counterkit.datastore.internal.client.DatastoreClient;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what became of tokens. Whoever creates the entity of a token first wins: the change that carries it, or the
 * one who asks and finds none. A change that lands later fails on it.
 */
public final class TokenResolver {
    private final DatastoreClient store;
    private final DatastoreSchema schema;
    private final DatastoreSequenceOptions options;

    public TokenResolver(DatastoreClient store, DatastoreSchema schema, DatastoreSequenceOptions options) {
        this.store = store;
        this.schema = schema;
        this.options = options;
    }

    /** Decides, or fails; then it can be tried again with the same {@code commits}. */
    public Resolution resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Commits commits, Call call) {
        Key key = schema.tokenKey(token);
        Transaction transaction = null;
        try {
            transaction = commits.begin();
            Entity stored = store.get(transaction, List.of(key), call).get(key);
            if (stored != null) {
                return DatastoreSchema.note(stored).resolution(origin);
            }
            Instant expires = options.clock().instant().plus(options.retention());
            store.put(transaction, List.of(schema.token(token, new TokenNote.Voided(), expires)), call);
            commits.send(transaction);
            return new Resolution.NotApplied();
        } finally {
            store.end(transaction, call);
        }
    }
}
