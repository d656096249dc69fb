package io.counterkit.migration.internal.routing;

import io.counterkit.migration.MigrationOptions;
import io.counterkit.spi.ImportedState;

/**
 * That a name is sealed at the source and imported at the target. It never changes, so it may be remembered.
 *
 * @param base what the target began with
 * @param seenNanos when this process first read the seal, by its {@link MigrationOptions#nanoTime()}
 */
public record MoveRecord(ImportedState base, long seenNanos) {}
