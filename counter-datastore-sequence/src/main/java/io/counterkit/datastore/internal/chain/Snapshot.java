package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.datastore.internal.tail.ChainTail;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a change is judged by, all read in one transaction: the end of its chain, and what else it asked for.
 *
 * @param end the newest entry and the seal; behind it there is nothing
 * @param read what exists of the keys that the change named
 */
public record Snapshot(ChainTail end, Map<Key, Entity> read) {
    /** What a token stands for; null if it was never used. */
    @Nullable public TokenNote note(Key token) {
        Entity entity = read.get(token);
        return entity == null ? null : DatastoreSchema.note(entity);
    }
}
