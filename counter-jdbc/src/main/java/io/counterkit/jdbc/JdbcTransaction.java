package io.counterkit.jdbc;

import io.counterkit.CounterTransaction;
import java.sql.Connection;
import java.util.List;

/**
 * Adds and appends in a transaction that the application has begun on its own connection, and that it commits or rolls
 * back: see {@link JdbcCounterBackend#within(Connection)}. Each call is sent immediately. Use it until the transaction
 * ends, on the thread that uses the connection, and call {@code within} again in the next one, even if that repeats the
 * same changes. After a rollback, adds and appends under a token throw {@link IllegalStateException}. A commit is not
 * noticed: adds and appends after it are part of the connection's next transaction, and the token does not cover them.
 *
 * <p>If a call throws {@link io.counterkit.SealedException}, {@link io.counterkit.ChangeRefusedException} or {@link
 * IllegalArgumentException}, it has changed nothing, and the transaction can continue. After any other exception, roll
 * the transaction back: PostgreSQL has ended it, and its driver's {@code commit} would return normally without storing
 * anything. If the exception is a {@link io.counterkit.ContentionException}, the whole transaction can be tried again.
 */
public interface JdbcTransaction extends CounterTransaction {
    /** Returns the connection of the transaction, for the application's own rows. */
    Connection connection();

    /**
     * Returns whether a transaction with the same token was committed before. If so, {@code add} and {@code append}
     * throw {@link IllegalStateException}.
     */
    boolean isRepeated();

    /** Returns the numbers of the entries that the earlier transaction appended, in order; empty if there is none. */
    List<Long> numbers();
}
