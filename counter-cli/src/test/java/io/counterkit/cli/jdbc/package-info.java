/** Migrations from and to JDBC. */
@org.jspecify.annotations.NullMarked
package io.counterkit.cli.jdbc;
