/**
 * PostgreSQL as a backend of the command line. Start at {@link io.counterkit.cli.postgresql.PostgresqlBackendFactory},
 * which has the options and loads no class of the driver.
 */
@NullMarked
package io.counterkit.cli.postgresql;

import org.jspecify.annotations.NullMarked;
