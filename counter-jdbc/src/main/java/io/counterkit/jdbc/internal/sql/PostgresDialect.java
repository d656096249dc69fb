package io.counterkit.jdbc.internal.sql;

import io.counterkit.jdbc.internal.notification.NotificationListener;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The dialect of PostgreSQL 14 or newer. */
final class PostgresDialect implements Dialect {
    static final String PRODUCT = "PostgreSQL";

    private static final int OLDEST = 14;

    private static final String UTF8 = "UTF8";

    /** The error of a statement that is allowed only within a transaction, but was executed outside of one. */
    private static final String NO_TRANSACTION = "25P01";

    /** Of 8 connections, adds use half; appends, reads and other changes share the rest. */
    private static final int ADDS_IN_FLIGHT = 4;

    /** The lock for which processes that create the tables wait: a random number, the same in all versions. */
    private static final long LOCK = 6_190_483_721_450_311_872L;

    static PostgresDialect of(Connection connection, DatabaseMetaData database) throws SQLException {
        if (database.getDatabaseMajorVersion() < OLDEST) {
            throw new IllegalArgumentException("the data source leads to PostgreSQL "
                    + database.getDatabaseProductVersion() + ": use PostgreSQL " + OLDEST + " or newer");
        }
        checkEncoding(connection);
        checkSettings(connection);
        return new PostgresDialect();
    }

    /**
     * Names are compared and listed by their bytes in UTF-8, which a database without an encoding stores unchanged.
     * Another encoding lacks characters or has another order. The driver changes characters that the encoding of its
     * connection lacks.
     */
    private static void checkEncoding(Connection connection) throws SQLException {
        String stored = value(connection, "SELECT current_setting('server_encoding')");
        if (!stored.equals(UTF8) && !stored.equals("SQL_ASCII")) {
            throw new IllegalArgumentException("the database has the encoding " + stored + ": use one with " + UTF8);
        }
        String sent = value(connection, "SELECT current_setting('client_encoding')");
        if (!sent.equals(UTF8)) {
            throw new IllegalArgumentException("the data source sets client_encoding=" + sent
                    + ", which would change names: remove it, and allowEncodingChanges");
        }
    }

    /**
     * In the simple mode, PostgreSQL's driver sends each statement separately: the settings of time limits and
     * durability, which are sent with a statement that is its own transaction, would end before the statement begins.
     * With the threshold -1, it confuses the results of statements that are sent together. A pooler, which gives the
     * driver its own process number, may execute a prepared statement in another session, where its name can be that of
     * another statement.
     */
    private static void checkSettings(Connection connection) throws SQLException {
        String mode;
        String threshold;
        String process;
        try {
            Class<?> type = Class.forName(
                    "org.postgresql.PGConnection", true, connection.getClass().getClassLoader());
            if (!connection.isWrapperFor(type)) {
                return; // another driver
            }
            Object driver = connection.unwrap(type);
            mode = String.valueOf(type.getMethod("getPreferQueryMode").invoke(driver));
            threshold = String.valueOf(type.getMethod("getPrepareThreshold").invoke(driver));
            process = String.valueOf(type.getMethod("getBackendPID").invoke(driver));
        } catch (ReflectiveOperationException e) {
            return; // another driver
        }
        if (mode.equals("SIMPLE") || threshold.equals("-1")) {
            throw new IllegalArgumentException(
                    "the data source sets " + (mode.equals("SIMPLE") ? "preferQueryMode=simple" : "prepareThreshold=-1")
                            + ", with which the driver cannot send statements together: remove it; behind a pooler, set"
                            + " prepareThreshold=0");
        }
        if (process.equals(value(connection, "SELECT pg_backend_pid()"))) {
            return; // no pooler
        }
        if (!threshold.equals("0")) {
            throw new IllegalArgumentException(
                    "the data source leads to a pooler, which may confuse the statements that the"
                            + " driver prepares: set prepareThreshold=0 in the URL of the driver");
        }
        checkHasTransactions(connection);
    }

    /** A pooler that shares sessions between statements would refuse only some changes, when they are made. */
    private static void checkHasTransactions(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) { // or the statements before this one were in a transaction
            try (Statement statement = connection.createStatement()) {
                statement.execute("BEGIN");
                statement.execute("ROLLBACK");
            } catch (SQLException e) {
                if (PostgresErrors.isWithoutTransactions(e)) {
                    throw new IllegalArgumentException(
                            "the data source leads to a pooler without transactions: set its"
                                    + " pool mode to transaction or session: " + e.getMessage(),
                            e);
                }
                throw e;
            }
        }
    }

    private static String value(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? row.getString(1) : "";
        }
    }

    @Override
    public String schemaFile() {
        return "postgresql-1.sql";
    }

    @Override
    public String now() {
        return "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    }

    @Override
    public String forUpdate() {
        return " FOR UPDATE";
    }

    @Override
    public String skipLocked() {
        return " FOR UPDATE SKIP LOCKED";
    }

    @Override
    public String notification(String channel, String payload) {
        return "pg_notify('" + channel + "', " + payload + ")";
    }

    @Override
    public String isBegun() {
        return PostgresSession.IS_BEGUN;
    }

    @Override
    public NotificationListener notifications(DataSource source) {
        return new NotificationListener(source);
    }

    @Override
    public int addsInFlight() {
        return ADDS_IN_FLIGHT;
    }

    @Override
    public int writers(int connections) {
        return connections;
    }

    @Override
    public int readers(int connections) {
        return 0;
    }

    @Override
    public boolean hasOneWriter() {
        return false;
    }

    @Override
    public boolean hasSchemas() {
        return true;
    }

    @Override
    public String product() {
        return PRODUCT;
    }

    /**
     * In a distributed transaction (XA), the driver reports autocommit mode since its version 42.7.13. So this method
     * creates a savepoint, which the server refuses outside of a transaction.
     */
    @Override
    public boolean probeTransaction(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            return true;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("SAVEPOINT counterkit; RELEASE SAVEPOINT counterkit");
            return true;
        } catch (SQLException e) {
            if (PostgresErrors.state(e).equals(NO_TRANSACTION)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public Transactions transactions(DataSource source) {
        return new PostgresTransactions(source);
    }

    /**
     * Also refuses unlogged tables and partitions, which a crash of the server empties, and temporary ones, which only
     * one session sees.
     */
    @Override
    public Schema findSchema(Connection connection, Schema schema) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT n.nspname, (SELECT min(p.relname) FROM pg_catalog.pg_class t"
                                + " LEFT JOIN LATERAL pg_partition_tree(t.oid) part ON true"
                                + " JOIN pg_catalog.pg_class p ON p.oid = coalesce(part.relid, t.oid)"
                                + " WHERE t.relnamespace = n.oid AND p.relpersistence <> 'p' AND"
                                + " t.relname ~ '^" + schema.prefix() + Schema.TABLES + "$') FROM pg_catalog.pg_class c"
                                + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
                                + " WHERE c.oid = '" + schema.table("version") + "'::regclass")) {
            if (!row.next()) {
                return schema;
            }
            String notPermanent = row.getString(2);
            if (notPermanent != null) {
                throw new IllegalArgumentException("the table '" + notPermanent
                        + "' is unlogged or temporary, so that a crash of the server empties it: ALTER TABLE "
                        + notPermanent
                        + " SET LOGGED");
            }
            return new Schema(row.getString(1), schema.prefix());
        }
    }

    @Override
    public void createTables(Connection connection, Schema schema) throws SQLException {
        boolean wasAutoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(Tables.LONGEST_WAIT_SECONDS);
            // or the transaction would not see the tables of the process that it waits for
            statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
            if (schema.schema() != null) {
                statement.execute("SET LOCAL search_path TO \"" + schema.schema() + "\"");
            }
            for (String sql : schema.statements(schemaFile())) {
                statement.execute(sql);
            }
            connection.commit();
        } catch (SQLException e) {
            if (PostgresTransactions.tryRollBack(connection, e)) {
                connection.setAutoCommit(wasAutoCommit);
            }
            throw e;
        }
        connection.setAutoCommit(wasAutoCommit);
    }

    @Override
    public boolean isTableMissing(SQLException e) {
        String state = PostgresErrors.state(e);
        return state.equals("42P01") || state.equals("3F000");
    }
}
