/**
 * Binds a migration for applications that use Guice. Start at {@link io.counterkit.migration.guice.MigrationModule}.
 */
@NullMarked
package io.counterkit.migration.guice;

import org.jspecify.annotations.NullMarked;
