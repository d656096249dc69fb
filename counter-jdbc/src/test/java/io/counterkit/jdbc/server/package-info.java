/** Starts PostgreSQL for tests. Start at {@link io.counterkit.jdbc.server.PostgresServer}. */
@org.jspecify.annotations.NullMarked
package io.counterkit.jdbc.server;
