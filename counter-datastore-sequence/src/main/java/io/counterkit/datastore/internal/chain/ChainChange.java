package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import java.util.List;
import java.util.Map;

/**
 * A change of a chain.
 *
 * @param maxEntries how many new numbers it takes at most
 * @param isRare whether this is an infrequent operation (seal, reset, delete) that takes precedence over adds and appends
 * @param tokens the keys of the tokens that cover it: if one of them is stored, the change may have been applied
 * @param others the keys of other entities that it has to read
 * @param planner decides what to write
 */
public record ChainChange<R>(
        ChainName chain, int maxEntries, boolean isRare, List<Key> tokens, List<Key> others, Planner<R> planner) {
    /** Decides what to write, again in each attempt. */
    public interface Planner<R> {
        /**
         * Returns what to write.
         *
         * @param tail the tail of the chain, read in the same transaction
         * @param found what exists of the tokens and the other keys, read in the same transaction
         * @throws io.counterkit.CounterException if the change is refused and was not applied before
         */
        WritePlan<R> plan(ChainTail tail, Map<Key, Entity> found);
    }

    /** Creates a change that reads only its tokens. */
    public static <R> ChainChange<R> of(ChainName chain, int maxEntries, List<Key> tokens, Planner<R> planner) {
        return new ChainChange<>(chain, maxEntries, false, tokens, List.of(), planner);
    }

    /** Creates a rare change that adds at most one entry. */
    public static <R> ChainChange<R> rare(ChainName chain, CommitTokens tokens, Planner<R> planner) {
        return new ChainChange<>(chain, 1, true, tokens.keys(), List.of(), planner);
    }
}
