package io.counterkit.migration.internal.routing;

import io.counterkit.spi.ImportedState;

/**
 * A name that is sealed at the source and imported at the target. This is final, so it may be cached.
 *
 * @param base the state that was imported
 * @param seenNanos when this process first read the seal, by {@link StorePair#nanoTime()}
 */
public record MoveRecord(ImportedState base, long seenNanos) {}
