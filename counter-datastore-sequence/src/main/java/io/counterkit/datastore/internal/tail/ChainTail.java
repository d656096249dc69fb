package io.counterkit.datastore.internal.tail;

import io.counterkit.Seal;
import io.counterkit.datastore.internal.schema.ChainEntry;
import org.jspecify.annotations.Nullable;

/**
 * The end of a chain.
 *
 * @param newest its newest entry; null if it has none
 * @param seal the seal, or null
 */
public record ChainTail(
        @Nullable ChainEntry newest, @Nullable Seal seal) {
    public long number() {
        return newest == null ? 0 : newest.number();
    }

    public long value() {
        return newest == null ? 0 : newest.value();
    }
}
