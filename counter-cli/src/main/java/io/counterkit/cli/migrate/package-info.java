/** Moves names from one store to another. Start at {@link io.counterkit.cli.migrate.MigrateCommand}. */
@NullMarked
package io.counterkit.cli.migrate;

import org.jspecify.annotations.NullMarked;
