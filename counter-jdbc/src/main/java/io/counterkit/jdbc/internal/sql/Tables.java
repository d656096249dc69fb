package io.counterkit.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Checks the version of the tables. */
public final class Tables {
    private Tables() {}

    /**
     * Checks that the tables have the version that this code reads and writes.
     *
     * @throws IllegalStateException if they are missing or of another version
     * @throws SQLException if the database failed in another way
     */
    public static void check(Connection connection, Dialect dialect, Statements statements, Schema schema)
            throws SQLException {
        long version = version(connection, dialect, statements, schema);
        if (version == 0) {
            throw missing(dialect, schema, null);
        }
        if (version != Schema.VERSION) {
            throw new IllegalStateException("the tables '" + schema.table("*") + "' have version " + version
                    + ", and this program needs version " + Schema.VERSION + ": "
                    + (version > Schema.VERSION ? "update the program" : "update the tables"));
        }
    }

    private static long version(Connection connection, Dialect dialect, Statements statements, Schema schema)
            throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(statements.selectVersion())) {
            return row.next() ? row.getLong(1) : 0;
        } catch (SQLException e) {
            if (dialect.isTableMissing(e)) {
                throw missing(dialect, schema, e);
            }
            throw e;
        }
    }

    private static IllegalStateException missing(Dialect dialect, Schema schema, @Nullable SQLException e) {
        return new IllegalStateException(
                "the tables '" + schema.table("*") + "' are missing: create them with counterkit-sql/"
                        + dialect.schemaFile() + " of the jar, or set the option createTables",
                e);
    }
}
