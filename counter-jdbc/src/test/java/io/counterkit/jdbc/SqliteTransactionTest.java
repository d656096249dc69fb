package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** A transaction of the application on SQLite: its state that the driver does not know, and what else its connection has. */
class SqliteTransactionTest {
    private static final JdbcCounterOptions OPTIONS =
            JdbcCounterOptions.builder().createTables(true).build();

    @TempDir
    Path directory;

    private SQLiteDataSource file() {
        return SqliteFixture.file(directory.resolve("counters.db"));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** SQLite looks for temporary tables first: the add would be lost with the connection. */
    @Test
    void temporaryTableOfTheSameName_isNotChanged() throws SQLException {
        JdbcCounterBackend backend = JdbcCounterBackend.create(file(), OPTIONS);
        try (Counters counters = Counters.over(backend);
                Connection connection = Shop.begin(file())) {
            execute(connection, "CREATE TEMP TABLE counterkit_counters AS SELECT * FROM counterkit_counters");
            execute(connection, "CREATE UNIQUE INDEX temp.own ON counterkit_counters (name)");
            backend.within(connection).add("likes", 5);
            connection.commit();
            assertThat(counters.counter("likes").get()).isEqualTo(5);
        }
    }
}
