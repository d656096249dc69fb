/**
 * {@code counter migrate}: moves names from one store to another, or compares both. Start at
 * {@link io.counterkit.cli.migrate.MigrateCommand}.
 */
@NullMarked
package io.counterkit.cli.migrate;

import org.jspecify.annotations.NullMarked;
