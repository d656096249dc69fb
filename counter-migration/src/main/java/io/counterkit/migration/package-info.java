/**
 * Moves names from a source to a target while the application runs. Start at
 * {@link io.counterkit.migration.MigratingBackend}, and at {@link io.counterkit.migration.MigrationJob} to move all
 * names.
 */
@NullMarked
package io.counterkit.migration;

import org.jspecify.annotations.NullMarked;
