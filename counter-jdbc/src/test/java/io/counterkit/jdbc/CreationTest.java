package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.jdbc.server.KeptConnection;
import io.counterkit.jdbc.server.PostgresServer;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * The connection with which a backend is created returns to its pool outside of a transaction, even if the pool has no
 * autocommit and ends none itself. Otherwise it would keep locks, or an old state, for its next user.
 */
class CreationTest {
    @TempDir
    Path directory;

    @Test
    void connectionToPostgres_isInNoTransaction() throws SQLException {
        JdbcCounterOptions options = JdbcCounterOptions.builder()
                .tablePrefix(PostgresFixture.unusedPrefix())
                .build();
        try (Connection only = Shop.begin(PostgresServer.shared())) {
            assertThatExceptionOfType(MissingTablesException.class)
                    .isThrownBy(() -> JdbcCounterBackend.create(KeptConnection.pool(only), options));
            assertIsIdle(only);
            JdbcCounterOptions creating = JdbcCounterOptions.builder()
                    .tablePrefix(options.tablePrefix())
                    .createTables(true)
                    .build();
            for (int i = 0; i < 2; i++) {
                JdbcCounterBackend.create(KeptConnection.pool(only), creating).close();
                assertIsIdle(only);
            }
        }
    }

    /** A network that drops all packets would block the application forever. */
    @Test
    void connectionToPostgres_doesNotWaitForTheNetworkForever() throws SQLException {
        List<Integer> millis = new ArrayList<>();
        try (Connection only = PostgresServer.shared().getConnection()) {
            Connection observed = (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("createStatement")) {
                            millis.add(only.getNetworkTimeout());
                        }
                        return method.invoke(only, arguments);
                    });
            JdbcCounterOptions creating = JdbcCounterOptions.builder()
                    .tablePrefix(PostgresFixture.unusedPrefix())
                    .createTables(true)
                    .build();
            assertThatExceptionOfType(MissingTablesException.class)
                    .isThrownBy(() -> JdbcCounterBackend.create(
                            KeptConnection.pool(observed),
                            JdbcCounterOptions.builder()
                                    .tablePrefix(creating.tablePrefix())
                                    .build()));
            JdbcCounterBackend.create(KeptConnection.pool(observed), creating).close();
            assertThat(millis).isNotEmpty().containsOnly(22_000);
            assertThat(only.getNetworkTimeout()).as("restored").isZero();

            millis.clear();
            only.setNetworkTimeout(Runnable::run, 5_000);
            JdbcCounterBackend.create(KeptConnection.pool(observed), creating).close();
            assertThat(millis).as("that of the application").isNotEmpty().containsOnly(5_000);
            assertThat(only.getNetworkTimeout()).isEqualTo(5_000);
        }
    }

    private static void assertIsIdle(Connection connection) throws SQLException {
        assertThat(connection.getAutoCommit()).isFalse();
        assertThat(connection.unwrap(BaseConnection.class).getTransactionState())
                .isEqualTo(TransactionState.IDLE);
    }

    /** A connection that reads in a transaction lets the log grow. */
    @Test
    void connectionToSqlite_letsTheLogShrink() throws SQLException {
        DataSource file = SqliteFixture.file(directory.resolve("counters.db"));
        JdbcCounterOptions creating =
                JdbcCounterOptions.builder().createTables(true).build();
        JdbcCounterBackend.create(file, creating).close();
        try (Connection only = Shop.begin(file)) {
            JdbcCounterBackend.create(KeptConnection.pool(only), creating).close();
            SchemaTest.execute(file, "CREATE TABLE something (number INTEGER)");
            assertThat(SchemaTest.number(file, "PRAGMA wal_checkpoint(TRUNCATE)"))
                    .as("whether a connection prevents the checkpoint")
                    .isZero();
        }
    }
}
