/**
 * Counters and sequences on PostgreSQL, or in a SQLite file. Start at {@link io.counterkit.jdbc.JdbcCounterBackend}.
 */
@NullMarked
package io.counterkit.jdbc;

import org.jspecify.annotations.NullMarked;
