/**
 * The backend on JDBC for applications that use Guice. Start at {@link io.counterkit.jdbc.guice.JdbcCounterModule}.
 */
@NullMarked
package io.counterkit.jdbc.guice;

import org.jspecify.annotations.NullMarked;
