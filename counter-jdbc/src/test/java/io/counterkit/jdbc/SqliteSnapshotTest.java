package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.ContentionException;
import io.counterkit.jdbc.SchemaTest.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transaction of SQLite that has read before it writes. */
class SqliteSnapshotTest {
    @TempDir
    Path directory;

    private static void read(Connection reader, Shop shop) throws SQLException {
        try (Statement statement = reader.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + shop.table)) {
            row.next();
        }
    }

    /** SQLite refuses this at once, whatever the time limit. */
    @Test
    void transactionThatHasReadBeforeAnotherOneWrote_namesTheWayOut() throws SQLException {
        Shop shop = new Shop(Store.SQLITE, directory);
        try (Connection reader = Shop.begin(shop.source)) {
            read(reader, shop);
            SchemaTest.execute(shop.source, "INSERT INTO " + shop.table + " VALUES (1)");
            assertThatExceptionOfType(ContentionException.class)
                    .isThrownBy(() -> shop.backend.within(reader))
                    .withMessageContaining("the file has changed since this transaction first read it");
            reader.rollback();
            shop.backend.within(reader).add(shop.name, 1);
            reader.commit();
        }
        shop.backend.close();
    }

    @Test
    void transactionThatHasReadWhileAnotherOneWrites_namesTheWayOut() throws SQLException {
        Shop shop = new Shop(Store.SQLITE, directory);
        try (Connection reader = Shop.begin(shop.source);
                Connection writer = Shop.begin(shop.source)) {
            read(reader, shop);
            shop.backend.within(writer).add(shop.name, 1);
            assertThatExceptionOfType(ContentionException.class)
                    .isThrownBy(() -> shop.backend.within(reader))
                    .withMessageContaining("begin with the backend, then read");
            writer.commit();
        }
        shop.backend.close();
    }
}
