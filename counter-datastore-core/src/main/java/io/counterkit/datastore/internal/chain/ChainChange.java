package io.counterkit.datastore.internal.chain;

import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.WritePlan;
import java.util.List;
import java.util.Map;

/**
 * A change of a chain.
 *
 * @param maxEntries how many new numbers it takes at most
 * @param kind how it competes with other changes
 * @param tokens the keys of the tokens that cover it: if one of them is stored, the change may have been applied
 * @param others the keys of other entities that it has to read
 * @param planner plans the writes
 */
public record ChainChange<R>(
        ChainName chain, int maxEntries, Kind kind, List<StoreKey> tokens, List<StoreKey> others, Planner<R> planner) {
    /** How a change competes with other changes. */
    public enum Kind {
        /**
         * An add or append. It takes the next number after any tail, so its insert proves the tail that it was planned
         * from.
         */
        APPEND,
        /** Another change that depends on the tail. */
        CONDITIONAL,
        /** An infrequent change (seal, reset, delete) that depends on the tail and takes precedence over the others. */
        RARE
    }

    /** Plans the writes of a change, again in each attempt. */
    public interface Planner<R> {
        /**
         * Returns the writes.
         *
         * @param tail the tail of the chain, read in the same transaction; the tail of an append may be stale, and its
         *     insert then fails
         * @param found the existing entities of the tokens and the other keys, read in the same transaction
         * @throws io.counterkit.CounterException if the change is refused and was not applied before
         */
        WritePlan<R> plan(ChainTail tail, Map<StoreKey, StoreEntity> found);
    }

    /** Creates a change that reads only its tokens. */
    public static <R> ChainChange<R> of(ChainName chain, int maxEntries, List<StoreKey> tokens, Planner<R> planner) {
        return new ChainChange<>(chain, maxEntries, Kind.CONDITIONAL, tokens, List.of(), planner);
    }

    /** Creates an add or append. */
    public static <R> ChainChange<R> append(
            ChainName chain, int maxEntries, CommitTokens tokens, List<StoreKey> others, Planner<R> planner) {
        return new ChainChange<>(chain, maxEntries, Kind.APPEND, tokens.keys(), others, planner);
    }

    /** Creates a rare change that adds at most one entry. */
    public static <R> ChainChange<R> rare(ChainName chain, CommitTokens tokens, Planner<R> planner) {
        return new ChainChange<>(chain, 1, Kind.RARE, tokens.keys(), List.of(), planner);
    }

    boolean isRare() {
        return kind == Kind.RARE;
    }
}
