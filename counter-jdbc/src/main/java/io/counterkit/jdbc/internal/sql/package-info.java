/**
 * What differs between the databases, all SQL, and what their errors mean. Start at {@link
 * io.counterkit.jdbc.internal.sql.Dialect} and {@link io.counterkit.jdbc.internal.sql.Statements}.
 */
@NullMarked
package io.counterkit.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
