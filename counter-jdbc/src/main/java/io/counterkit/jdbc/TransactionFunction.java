package io.counterkit.jdbc;

import java.sql.SQLException;

/** The work of an application in one transaction. It runs again from the start when the transaction is retried. */
@FunctionalInterface
public interface TransactionFunction {
    /**
     * Reads and writes the application's own rows through {@code tx.connection()}, and appends and adds through {@code
     * tx}. Must change nothing else, since it may run several times and only the last run is committed. If it throws,
     * nothing is applied.
     *
     * <p>Must not end the transaction, and must leave the connection open. {@code commit}, {@code rollback} and {@code
     * setAutoCommit(true)} of the connection throw {@link IllegalStateException}. A statement that ends the transaction,
     * such as {@code COMMIT}, is noticed when this method returns: {@code transact} then throws {@link
     * IllegalStateException}, and what was changed before a {@code COMMIT} stays applied. It is not noticed if this
     * method throws instead. A repeated call with the token does not run the rest.
     */
    void run(JdbcTransaction tx) throws SQLException;
}
