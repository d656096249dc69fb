package io.counterkit.jdbc.internal.sql;

import io.counterkit.jdbc.internal.notification.NotificationListener;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A kind of database: the statements, settings and errors in which PostgreSQL and SQLite differ. */
public interface Dialect {
    /** Returns the file with the tables. */
    String schemaFile();

    /** Returns the current time, in milliseconds since 1970, as an expression. */
    String now();

    /** Returns the time at which a token that is stored now expires, as an expression. */
    default String expiry(Duration retention) {
        return now() + " + " + retention.toMillis();
    }

    /** Returns the clause that locks the rows of a query until the transaction ends; may be empty. */
    String forUpdate();

    /** Returns the clause that skips locked rows in a subquery whose rows are deleted; may be empty. */
    String skipLocked();

    /** Returns the maximum number of batches of adds in flight at once. */
    int addsInFlight();

    /** Returns an expression that notifies a channel when its transaction is committed; empty if there is none. */
    String notification(String channel, String payload);

    /**
     * Returns a condition that is false in a transaction that {@link Transactions#begin} has not begun, unless {@link
     * Transactions#tryUnmark} finds that out.
     */
    String isBegun();

    /** Creates the listener for notifications; returns null if the database has none. */
    @Nullable NotificationListener notifications(DataSource source);

    /** Returns how many threads write, if the options allow {@code connections}. */
    int writers(int connections);

    /** Returns how many threads read; 0 if writers also read. */
    int readers(int connections);

    /** Returns whether a transaction that writes locks the whole database, instead of rows. */
    boolean hasOneWriter();

    /** Returns whether tables are in schemas. */
    boolean hasSchemas();

    /** Returns the driver's name of the database. */
    String product();

    /**
     * Finds out whether the application has begun a transaction on a connection. May execute a statement for that, which
     * changes nothing.
     */
    default boolean probeTransaction(Connection connection) throws SQLException {
        return !connection.getAutoCommit();
    }

    /** Creates the transactions. */
    Transactions transactions(DataSource source) throws SQLException;

    /**
     * Returns the schema where the tables of a connection are, with its name if the database has schemas.
     *
     * @throws IllegalArgumentException if the tables cannot hold the data exactly or permanently
     */
    Schema findSchema(Connection connection, Schema schema) throws SQLException;

    /** Creates the tables that are missing, in one transaction. */
    void createTables(Connection connection, Schema schema) throws SQLException;

    /** Returns whether a query failed because its table does not exist. */
    boolean isTableMissing(SQLException e);

    /** Connects to either database on a thread of the application, outside of its transactions. */
    static Connection connect(DataSource source) throws StoreFailure {
        return OwnConnection.take(() -> take(source));
    }

    private static Connection take(DataSource source) throws StoreFailure {
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw isOfSqlite(e) ? SqliteErrors.notConnected(e) : PostgresErrors.notConnected(e);
        } catch (RuntimeException | Error e) {
            throw StoreFailure.notConnected(e);
        }
    }

    /** Limits how long a connection waits for the network, if its database is reached by one. */
    static Transactions.Restoring limitNetworkTime(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals(PostgresDialect.PRODUCT)
                ? Transactions.limitNetworkTime(connection)
                : () -> {};
    }

    /**
     * Ends the transaction of queries on a connection without autocommit, since not every pool does so, and restores
     * the network timeout. A failure does not change the results.
     */
    static void endTransaction(Connection connection, Transactions.Restoring networkTime) {
        try {
            try {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
            } finally {
                networkTime.run();
            }
        } catch (SQLException | RuntimeException e) {
            System.getLogger(Dialect.class.getName())
                    .log(System.Logger.Level.DEBUG, "a connection could not be rolled back", e);
        }
    }

    /** Classifies a failure of a connection to either database, before a call. */
    static StoreFailure failure(SQLException e) {
        return isOfSqlite(e) ? SqliteErrors.beforeCommit(e) : PostgresErrors.inTransaction(e);
    }

    /** Only SQLite sets no SQLSTATE. */
    private static boolean isOfSqlite(SQLException e) {
        return PostgresErrors.state(e).isEmpty() && SqliteErrors.code(e) != 0;
    }

    /**
     * Returns the dialect of a connection.
     *
     * @throws IllegalArgumentException if the database is another one or too old
     */
    static Dialect of(Connection connection) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        String product = database.getDatabaseProductName();
        return switch (product) {
            case PostgresDialect.PRODUCT -> PostgresDialect.of(connection, database);
            case SqliteDialect.PRODUCT -> SqliteDialect.of(connection, database);
            default ->
                throw new IllegalArgumentException(
                        "the data source leads to " + product + ": use PostgreSQL 14 or newer, or SQLite in a file");
        };
    }
}
