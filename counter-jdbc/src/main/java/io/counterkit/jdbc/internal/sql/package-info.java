/**
 * The dialects of the databases, all SQL statements, and the classification of errors. Start at {@link
 * io.counterkit.jdbc.internal.sql.Dialect} and {@link io.counterkit.jdbc.internal.sql.Statements}.
 */
@NullMarked
package io.counterkit.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
