package io.counterkit.datastore;

import io.counterkit.Seal;
import org.jspecify.annotations.Nullable;

/**
 * The end of a chain.
 *
 * @param newest its newest entry; null if it has none
 * @param seal the seal, or null
 */
record Found(@Nullable Link newest, @Nullable Seal seal) {
    long number() {
        return newest == null ? 0 : newest.number();
    }

    long value() {
        return newest == null ? 0 : newest.value();
    }
}
