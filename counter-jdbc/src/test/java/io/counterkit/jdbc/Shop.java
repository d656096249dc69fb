package io.counterkit.jdbc;

import io.counterkit.IdempotencyToken;
import io.counterkit.jdbc.SchemaTest.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** An application with a table of its own, whose rows carry the numbers of a sequence. */
final class Shop {
    private static final int PATIENT_MILLIS = 60_000;

    final String name = "test-" + UUID.randomUUID();
    final DataSource source;
    final JdbcCounterBackend backend;
    final String table = "orders_" + name.replace("-", "_");

    Shop(Store store, Path directory) throws SQLException {
        this(store == Store.SQLITE ? patient(directory) : store.source(directory));
    }

    Shop(DataSource source) throws SQLException {
        this.source = source;
        backend = JdbcCounterBackend.create(
                source, JdbcCounterOptions.builder().createTables(true).build());
        SchemaTest.execute(source, "CREATE TABLE " + table + " (number bigint NOT NULL)");
    }

    /** SQLite's wait for the write lock is that of the application's connection. */
    private static DataSource patient(Path directory) {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(PATIENT_MILLIS);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + directory.resolve("counters.db"));
        return source;
    }

    /** Returns a connection with a transaction. */
    static Connection begin(DataSource source) throws SQLException {
        Connection connection = source.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Stores an order with its number, unless that is done already. Returns the number. */
    long order(Connection connection, IdempotencyToken token) throws SQLException {
        JdbcTransaction tx = backend.within(connection, token);
        if (tx.isRepeated()) {
            return tx.numbers().get(0);
        }
        return order(tx);
    }

    /** Stores an order with its number. Returns the number. */
    long order(JdbcTransaction tx) throws SQLException {
        long number = tx.append(name, Map.of("customer", "c-17"));
        tx.add(name, 3);
        insert(tx.connection(), number);
        return number;
    }

    void insert(Connection connection, long number) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table + " VALUES (?)")) {
            insert.setLong(1, number);
            insert.executeUpdate();
        }
    }

    /** Returns the numbers of the rows, ascending. */
    List<Long> numbers() throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT number FROM " + table + " ORDER BY number")) {
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }

    long orders() throws SQLException {
        return SchemaTest.number(source, "SELECT count(*) FROM " + table);
    }
}
