package io.counterkit.jdbc;

import java.sql.SQLException;

/** The work of an application in one transaction. It runs again from the start when the transaction is retried. */
@FunctionalInterface
public interface TransactionFunction {
    /**
     * Reads and writes the application's own rows through {@code tx.connection()}, and appends and adds through {@code
     * tx}. Must change nothing else, since it may run several times and only the last run is committed. Must neither
     * commit nor roll back, and must leave the connection open and without autocommit. If it throws, nothing is applied.
     */
    void run(JdbcTransaction tx) throws SQLException;
}
