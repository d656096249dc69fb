package io.counterkit.migration;

import io.counterkit.spi.Base;

/**
 * That a name is sealed at the source and imported at the target. It never changes, so it may be remembered.
 *
 * @param base what the target began with
 * @param seenNanos when this process first read the seal, by its {@link MigrationOptions#nanoTime()}
 */
record Moved(Base base, long seenNanos) {}
