package io.counterkit.jdbc.internal.sql;

import io.counterkit.jdbc.internal.notification.NotificationListener;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of SQLite in a file. In all processes together, one transaction writes at a time; reads do not wait for
 * it.
 */
final class SqliteDialect implements Dialect {
    static final String PRODUCT = "SQLite";

    private static final String OLDEST = "3.51.3";
    private static final int WRITERS = 4;
    private static final int READERS = 2;

    /** How long the creation of the tables waits for other processes. */
    private static final int CREATION_WAIT_MILLIS = 10_000;

    /** A column with a type, in the file that creates the tables. */
    private static final Pattern COLUMN = Pattern.compile("(?m)^ +(\\w+) (TEXT|INTEGER)\\b");

    private static final Pattern TEXT = Pattern.compile("(?i)(?!.*INT).*(CHAR|CLOB|TEXT).*");
    private static final Pattern NUMBER = Pattern.compile("(?i).*(INT|NUM|DEC|BOOL).*");
    private static final Pattern COLLATION = Pattern.compile("(?i)\\bCOLLATE\\s++[\"'`\\[]?+(?!BINARY\\b)");

    private final SqliteFile file;

    private SqliteDialect(SqliteFile file) {
        this.file = file;
    }

    static SqliteDialect of(Connection connection, DatabaseMetaData database) throws SQLException {
        String version = database.getDatabaseProductVersion();
        if (Arrays.compare(parts(version), parts(OLDEST)) < 0) {
            throw new IllegalArgumentException("the driver brings SQLite " + version
                    + ", which can corrupt a file with several writers: use sqlite-jdbc " + OLDEST + " or newer");
        }
        SqliteSettings.check(connection);
        return new SqliteDialect(SqliteFile.of(connection));
    }

    private static int[] parts(String version) {
        return Arrays.stream(version.split("\\.", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    @Override
    public String schemaFile() {
        return "sqlite-1.sql";
    }

    @Override
    public String now() {
        return "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
    }

    @Override
    public String forUpdate() {
        return "";
    }

    @Override
    public String skipLocked() {
        return "";
    }

    @Override
    public String notification(String channel, String payload) {
        return "";
    }

    /** {@link SqliteTransactions#tryUnmark} checks it. */
    @Override
    public String isBegun() {
        return "true";
    }

    @Override
    public @Nullable NotificationListener notifications(DataSource source) {
        return null;
    }

    @Override
    public int addsInFlight() {
        return 1;
    }

    @Override
    public int writers(int connections) {
        return WRITERS;
    }

    @Override
    public int readers(int connections) {
        return READERS;
    }

    @Override
    public boolean hasOneWriter() {
        return true;
    }

    @Override
    public boolean hasSchemas() {
        return false;
    }

    @Override
    public String product() {
        return PRODUCT;
    }

    @Override
    public Transactions transactions(DataSource source) {
        SqliteSettings.checkPool(source, WRITERS + READERS);
        return new SqliteTransactions(source, file);
    }

    /** Qualifies the names with the main file, so that no temporary table and no table of an attached file is used. */
    @Override
    public Schema findSchema(Connection connection, Schema schema) throws SQLException {
        checkColumns(connection, schema);
        return new Schema("main", schema.prefix());
    }

    /**
     * Checks the columns of the tables. SQLite converts a value to the type of its column: for SQLite, {@code STRING}
     * is a number, and the name 007 would become 7. With another collation, different names could be equal. Other
     * tables are not read: one of them may be virtual, and its module missing.
     */
    private void checkColumns(Connection connection, Schema schema) throws SQLException {
        Map<String, String> types = types(schema);
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT t.name, t.sql, c.name, c.type FROM main.sqlite_schema AS t,"
                                + " pragma_table_info(t.name, 'main') AS c WHERE t.type = 'table'"
                                + " AND lower(t.name) IN (" + schema.tables() + ")")) {
            while (row.next()) {
                String problem = problem(row.getString(2), row.getString(3), row.getString(4), types);
                if (!problem.isEmpty()) {
                    throw new IllegalArgumentException("the table '" + row.getString(1) + "' has " + problem
                            + ", with which names or totals are not exact: create it as in counterkit-sql/"
                            + schemaFile());
                }
            }
        }
    }

    /** Returns the types of the columns, as the tables are created. Columns of one name have one type in all tables. */
    private Map<String, String> types(Schema schema) {
        return schema.statements(schemaFile()).stream()
                .flatMap(statement -> COLUMN.matcher(statement).results())
                .collect(Collectors.toMap(column -> column.group(1), column -> column.group(2), (type, same) -> type));
    }

    /** Returns the problem of a column or its table; empty if there is none. */
    private static String problem(String table, String column, String type, Map<String, String> types) {
        if (COLLATION.matcher(table).find()) {
            return "another collation than BINARY";
        }
        boolean isWrong = switch (types.getOrDefault(column.toLowerCase(Locale.ROOT), "")) {
            case "TEXT" -> !TEXT.matcher(type).matches();
            case "INTEGER" -> !NUMBER.matcher(type).matches();
            default -> false; // a column of the application, or bytes
        };
        return isWrong ? "the type '" + type + "' for '" + column + "'" : "";
    }

    @Override
    public void createTables(Connection connection, Schema schema) throws SQLException {
        SqliteSettings.Original original = SqliteSettings.Original.of(connection);
        try (Statement statement = connection.createStatement()) {
            SqliteSettings.configure(connection);
            SqliteSettings.set(connection, SqliteSettings.BUSY_TIMEOUT, CREATION_WAIT_MILLIS);
            statement.execute("BEGIN IMMEDIATE");
            try {
                for (String sql : schema.statements(schemaFile())) {
                    statement.execute(sql);
                }
                statement.execute("COMMIT");
            } catch (SQLException e) {
                SqliteSession.within(connection).tryRollBack();
                throw e;
            }
        } finally {
            original.restore(connection);
        }
    }

    /** Checks the message, since the code, 1, is that of every invalid statement. */
    @Override
    public boolean isTableMissing(SQLException e) {
        return SqliteErrors.contains(e, "no such table");
    }
}
