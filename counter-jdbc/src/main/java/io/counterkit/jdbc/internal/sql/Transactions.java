package io.counterkit.jdbc.internal.sql;

import io.counterkit.jdbc.internal.sql.Session.Work;
import io.counterkit.spi.Call;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;

/** Runs transactions on the connections of one data source. Blocks the calling thread. Thread-safe. */
public interface Transactions extends AutoCloseable {
    /** How long a thread of the application waits for an answer from the network. */
    int NETWORK_MILLIS = (Tables.LONGEST_WAIT_SECONDS + 2) * 1_000;

    /** The server and the network need no more than this to answer. */
    Duration LONGEST_MARGIN = Duration.ofMillis(500);

    /**
     * Returns how long before the deadline a transaction stops waiting for locks, so that the caller learns in time that
     * nothing was applied.
     *
     * @param remaining the time until the deadline
     */
    static Duration margin(Duration remaining) {
        Duration part = remaining.dividedBy(8);
        return part.compareTo(LONGEST_MARGIN) < 0 ? part : LONGEST_MARGIN;
    }

    /**
     * Runs one transaction and commits it, on disk, before it returns. If {@code work} throws, nothing is stored.
     *
     * @throws StoreFailure if the database failed, with the outcome
     */
    <T> T write(Call call, Work<T> work) throws Exception;

    /**
     * Runs work that is one statement, as {@link #write} does, without a round trip for the commit.
     *
     * @throws StoreFailure if the database failed, with the outcome
     */
    <T> T writeOnce(Call call, Work<T> work) throws Exception;

    /**
     * Runs queries, each of which sees all that was committed before.
     *
     * @throws StoreFailure if the database failed
     */
    <T> T read(Call call, Work<T> work) throws Exception;

    /**
     * Runs a part of a transaction that the owner of {@code connection} begins and ends. If {@code work} throws a
     * {@link io.counterkit.CounterException}, the other parts remain.
     *
     * @throws StoreFailure if the database failed; then the transaction can only be rolled back
     */
    <T> T within(Connection connection, Work<T> work) throws StoreFailure;

    /** Takes a connection of the data source. */
    Connection connect() throws StoreFailure;

    /** Returns a connection to the data source. A failure is logged, since it does not change an outcome. */
    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            System.getLogger(Transactions.class.getName())
                    .log(System.Logger.Level.DEBUG, "a connection could not be closed", e);
        }
    }

    /** Takes a connection that is in no transaction that a framework has begun on this thread of the application. */
    default Connection connectOutside() throws StoreFailure {
        return OwnConnection.take(this::connect);
    }

    /**
     * Returns an executor that waits for a connection before it runs a task, which uses that connection first. So no
     * task begins while no connection is free.
     */
    Executor connecting(Executor executor);

    /**
     * Begins a transaction on a connection of the data source. Its commit is on disk before it returns, even if the
     * database or the connection is configured otherwise.
     *
     * @return restores the durability of the connection, outside of a transaction
     */
    Restoring begin(Connection connection) throws SQLException;

    /**
     * Removes the mark of the transaction that {@link #begin} began. Returns false if the transaction has ended, and true
     * if it may be open. If another round trip would be needed to find that out, does nothing and returns true: see
     * {@link Dialect#isBegun}.
     */
    default boolean tryUnmark(Connection connection) {
        return true;
    }

    /** Restores a setting of a connection. */
    interface Restoring {
        void run() throws SQLException;
    }

    /**
     * Sets a network timeout on a connection of PostgreSQL that has none: a network that drops all packets would block
     * the thread forever. It is longer than a statement may wait, so that the server's answer comes first.
     */
    static Restoring limitNetworkTime(Connection connection) throws SQLException {
        if (connection.getNetworkTimeout() != 0) {
            return () -> {};
        }
        connection.setNetworkTimeout(Runnable::run, NETWORK_MILLIS);
        return () -> connection.setNetworkTimeout(Runnable::run, 0);
    }

    /**
     * Commits a transaction of the application on its connection.
     *
     * @throws StoreFailure if the database failed, with the outcome
     */
    void commit(Connection connection) throws StoreFailure;

    /** Rolls back a transaction of the application on its connection. */
    default void rollBack(Connection connection) throws SQLException {
        connection.rollback();
    }

    /** Returns whether a connection may be used again after a failure of a transaction that has ended. */
    default boolean isUsableAfter(Throwable failure) {
        return true;
    }

    /** Classifies a failure of a statement of the application, in a transaction that is not committed. */
    StoreFailure failure(SQLException e);

    /** Closes the connections that are kept. */
    @Override
    void close();
}
