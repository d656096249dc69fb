package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

/** Tables of SQLite that were not created with our file, by hand or by a migration tool. */
class SqliteColumnsTest {
    private static final String COLUMNS = "name TEXT PRIMARY KEY, total INTEGER NOT NULL, present INTEGER NOT NULL,"
            + " forward TEXT, sealed_at INTEGER";

    @TempDir
    Path directory;

    private SQLiteDataSource file;

    @BeforeEach
    void createTables() throws SQLException {
        file = SqliteFixture.file(directory.resolve("counters.db"));
        JdbcCounterBackend.create(
                        file, JdbcCounterOptions.builder().createTables(true).build())
                .close();
        SchemaTest.execute(file, "DROP TABLE counterkit_counters");
    }

    private void createCounters(String from, String to) throws SQLException {
        SchemaTest.execute(file, "CREATE TABLE counterkit_counters (" + COLUMNS.replace(from, to) + ")");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    name TEXT     | name STRING              | the type 'STRING' for 'name'
                    name TEXT     | name POINT               | the type 'POINT' for 'name'
                    name TEXT     | NAME STRING              | the type 'STRING' for 'NAME'
                    total INTEGER | total DOUBLE             | the type 'DOUBLE' for 'total'
                    total INTEGER | total TEXT               | the type 'TEXT' for 'total'
                    name TEXT     | name TEXT COLLATE NOCASE | another collation than BINARY
                    name TEXT     | name TEXT COLLATE "rtrim"| another collation than BINARY
                    """)
    void columnThatChangesWhatIsStored_isRefused(String from, String to, String problem) throws SQLException {
        createCounters(from, to);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcCounterBackend.create(file))
                .withMessage("the table 'counterkit_counters' has " + problem
                        + ", with which names or totals are not exact: create it as in counterkit-sql/sqlite-1.sql");
    }

    @ParameterizedTest
    @ValueSource(strings = {"name VARCHAR(400)", "name TEXT COLLATE BINARY", "score REAL, name TEXT", "NAME TEXT"})
    void columnThatStoresTheSame_isUsed(String name) throws SQLException {
        createCounters("name TEXT", name);
        try (Counters counters = Counters.over(JdbcCounterBackend.create(file))) {
            counters.counter("007").add(1);
            counters.counter("7").add(2);
            assertThat(counters.counter("007").get()).isEqualTo(1);
            assertThat(counters.counterNames("").names()).containsExactly("007", "7");
        }
    }

    /** SQLite cannot read the columns of such a table of the application. */
    @Test
    void tableWhoseModuleIsMissing_isNotRead() throws SQLException {
        createCounters("", "");
        try (Connection connection = file.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA writable_schema = ON");
            statement.executeUpdate("INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES"
                    + " ('table', 'places', 'places', 0, 'CREATE VIRTUAL TABLE places USING missing(x)')");
        }
        JdbcCounterBackend.create(file).close();
    }
}
