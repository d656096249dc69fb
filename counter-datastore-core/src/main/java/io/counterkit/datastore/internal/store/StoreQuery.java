package io.counterkit.datastore.internal.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A query for entities of one kind. It is never part of a transaction, and its results may be outdated. */
public sealed interface StoreQuery {
    String kind();

    boolean isKeysOnly();

    /**
     * Finds entities in the order of their keys.
     *
     * @param isFromIncluded whether {@code from} itself is found
     * @param end the key after the last one
     */
    record KeyRange(boolean isKeysOnly, StoreKey from, boolean isFromIncluded, StoreKey end) implements StoreQuery {
        @Override
        public String kind() {
            return from.kind();
        }
    }

    /**
     * Finds the keys of entities with an indexed moment before another one, the earliest first.
     *
     * @param from the earliest moment to find, or null
     */
    record Before(String kind, String property, @Nullable Instant from, Instant moment) implements StoreQuery {
        @Override
        public boolean isKeysOnly() {
            return true;
        }
    }
}
