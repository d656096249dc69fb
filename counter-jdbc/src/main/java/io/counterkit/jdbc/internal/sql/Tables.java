package io.counterkit.jdbc.internal.sql;

import io.counterkit.jdbc.MissingTablesException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Checks that the tables exist in the right version, and finds their schema. */
public final class Tables {
    /** How long a statement waits for a lock, for example the lock of a migration tool. */
    static final int LONGEST_WAIT_SECONDS = 20;

    private Tables() {}

    /**
     * Checks that the tables have the version that this code reads and writes. Returns the schema where they are, since
     * a connection that is used later may have another search path.
     *
     * @param create whether to create the tables if they are missing. If they exist, {@code CREATE INDEX IF NOT EXISTS}
     *     must not run: it would wait for the transactions that use them, and all later ones would wait for it
     * @throws IllegalArgumentException if a schema is named and the database has none
     * @throws MissingTablesException if they are missing
     * @throws IllegalStateException if they are of another version
     * @throws SQLException if the database failed in another way
     */
    public static Schema check(Connection connection, Dialect dialect, Schema schema, boolean create)
            throws SQLException {
        if (schema.schema() != null && !dialect.hasSchemas()) {
            throw new IllegalArgumentException(
                    "schema '" + schema.schema() + "': " + dialect.product() + " has no schemas, remove the option");
        }
        long version = version(connection, dialect, schema);
        if (version == 0 && create) {
            if (!connection.getAutoCommit()) {
                connection.rollback(); // ends the transaction of the query, which PostgreSQL would not continue
            }
            dialect.createTables(connection, schema);
            version = version(connection, dialect, schema);
        }
        if (version == 0) {
            throw new MissingTablesException(
                    "the tables '" + schema.table("*") + "' are missing: create them with counterkit-sql/"
                            + dialect.schemaFile() + " of the jar, or set the option createTables");
        }
        if (version != Schema.VERSION) {
            throw new IllegalStateException("the tables '" + schema.table("*") + "' have version " + version
                    + ", and this program needs version " + Schema.VERSION + ": "
                    + (version > Schema.VERSION ? "update the program" : "update the tables"));
        }
        return dialect.findSchema(connection, schema);
    }

    /** Returns the version; 0 if there are no tables. */
    private static long version(Connection connection, Dialect dialect, Schema schema) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(LONGEST_WAIT_SECONDS);
            try (ResultSet row = statement.executeQuery("SELECT max(version) FROM " + schema.table("version"))) {
                return row.next() ? row.getLong(1) : 0;
            }
        } catch (SQLException e) {
            if (!dialect.isTableMissing(e)) {
                throw e;
            }
            return 0;
        }
    }
}
