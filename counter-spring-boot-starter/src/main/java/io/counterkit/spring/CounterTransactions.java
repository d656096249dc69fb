package io.counterkit.spring;

import io.counterkit.IdempotencyToken;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcTransaction;
import java.sql.Connection;

/**
 * Adds and appends in the application's own transaction: the one that {@code @Transactional} begins on the data source
 * of the counters. They are committed or rolled back with the rest of that transaction, and a number is used up only if
 * it is committed.
 *
 * <pre>{@code
 * @Transactional
 * long order(String customer) {
 *     long number = transactions.current().append("orders/2026", Map.of("customer", customer));
 *     jdbc.update("INSERT INTO orders (number, customer) VALUES (?, ?)", number, customer);
 *     return number;
 * }
 * }</pre>
 *
 * <p>Changes through {@link io.counterkit.Counters} are never part of a transaction of the application, and wait for
 * one that has changed the same name: see {@link JdbcCounterBackend#within(Connection, IdempotencyToken)}. Thread-safe;
 * only the thread of a transaction may use it.
 */
public interface CounterTransactions {
    /**
     * Returns the part of the current transaction that adds and appends. Every call in one transaction returns the same
     * one.
     *
     * @throws IllegalStateException if no transaction of the data source is active on this thread, such as in a
     *     callback after the commit
     * @throws io.counterkit.CounterException if the database failed, or other transactions held the locks for too long;
     *     let the transaction roll back
     * @throws org.springframework.transaction.TransactionTimedOutException if the time of the transaction has passed
     */
    JdbcTransaction current();

    /**
     * Returns the part of the current transaction that adds and appends, and stores a token with it. If the reply to
     * the commit is lost, {@link io.counterkit.Counters#resolve} decides whether it was applied. If a transaction with
     * the token was committed before, {@link JdbcTransaction#isRepeated()} returns true.
     *
     * @throws IllegalStateException if no transaction of the data source is active on this thread, or if the
     *     transaction was joined before with another token or without one
     * @throws io.counterkit.TokenRefusedException if the token was used for another change, or was resolved as not
     *     applied
     * @throws io.counterkit.CounterException if the database failed, or other transactions held the locks for too long;
     *     let the transaction roll back
     * @throws org.springframework.transaction.TransactionTimedOutException if the time of the transaction has passed
     */
    JdbcTransaction current(IdempotencyToken token);
}
