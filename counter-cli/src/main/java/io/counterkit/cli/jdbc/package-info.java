/**
 * SQLite and PostgreSQL as backends of the command line. Each {@code BackendFactory} has the options, and loads no
 * class of the driver. Start at {@code SqliteBackendFactory}.
 */
@NullMarked
package io.counterkit.cli.jdbc;

import org.jspecify.annotations.NullMarked;
