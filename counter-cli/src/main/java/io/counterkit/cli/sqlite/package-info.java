/**
 * SQLite in a file as a backend of the command line. Start at {@link io.counterkit.cli.sqlite.SqliteBackendFactory}, which
 * has the options and loads no class of the driver.
 */
@NullMarked
package io.counterkit.cli.sqlite;

import org.jspecify.annotations.NullMarked;
