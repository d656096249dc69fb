package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.ChainTail;
import java.util.List;
import java.util.Map;

/** A change of a chain. Each attempt plans it again, from what is stored by then. */
public interface ChainChange<R> {
    /** Returns whether this is an infrequent operation (seal, reset, delete) that takes precedence over adds and appends. */
    default boolean isRare() {
        return false;
    }

    /** Returns how many new numbers it takes at most. */
    default int maxEntries() {
        return 1;
    }

    /** Returns the keys of the tokens that cover it. If one of them is stored, the change may have been applied. */
    List<Key> tokens();

    /** Returns the other keys that it has to read. */
    default List<Key> others() {
        return List.of();
    }

    /**
     * Returns what to write.
     *
     * @param tail the tail of the chain, read in the same transaction
     * @param found what exists of the tokens and the other keys, read in the same transaction
     * @throws io.counterkit.CounterException if the change is refused and was not applied before
     */
    WritePlan<R> plan(ChainTail tail, Map<Key, Entity> found);
}
