/** Compares the backend on JDBC with plain SQL. Start at {@link io.counterkit.benchmarks.jdbc.CompareJdbc}. */
@NullMarked
package io.counterkit.benchmarks.jdbc;

import org.jspecify.annotations.NullMarked;
