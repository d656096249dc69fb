package io.counterkit.benchmarks.jdbc;

import io.counterkit.benchmarks.jdbc.ClosedLoop.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** Counters and numbers as they are written by hand, durable, with a connection for each thread. */
final class PlainSql {
    private final DataSource source;
    private final boolean isSqlite;

    PlainSql(DataSource source, boolean isSqlite) throws SQLException {
        this.source = source;
        this.isSqlite = isSqlite;
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS plain_counters (name varchar(100) PRIMARY KEY, v bigint NOT NULL)");
            statement.execute("CREATE TABLE IF NOT EXISTS plain_tokens (token varchar(100) PRIMARY KEY)");
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS plain_entries (number bigint PRIMARY KEY, customer varchar(100))");
            for (int i = 0; i < 1_000; i++) {
                statement.execute("INSERT INTO plain_counters VALUES ('c" + i + "', 0) ON CONFLICT DO NOTHING");
            }
            statement.execute("INSERT INTO plain_counters VALUES ('orders', 0) ON CONFLICT DO NOTHING");
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = source.getConnection();
        if (isSqlite) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA busy_timeout = 60000");
                statement.execute("PRAGMA journal_mode = WAL");
                statement.execute("PRAGMA synchronous = FULL");
            }
        }
        return connection;
    }

    /** {@code UPDATE … SET v = v + 1}, without a token. */
    Operation update(int counters) throws SQLException {
        return new Sent(connect()) {
            private final PreparedStatement update =
                    connection.prepareStatement("UPDATE plain_counters SET v = v + 1 WHERE name = ?");

            @Override
            public void run() throws SQLException {
                update.setString(1, "c" + ThreadLocalRandom.current().nextInt(counters));
                update.executeUpdate();
            }
        };
    }

    /** An upsert and the row of its token in one transaction. */
    Operation upsertWithToken(int counters) throws SQLException {
        return new Sent(connect()) {
            private final PreparedStatement token =
                    connection.prepareStatement("INSERT INTO plain_tokens VALUES (?) ON CONFLICT DO NOTHING");
            private final PreparedStatement upsert = connection.prepareStatement(
                    "INSERT INTO plain_counters AS t" + " VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET v = t.v + 1");

            @Override
            public void run() throws SQLException {
                inTransaction(() -> {
                    token.setString(1, UUID.randomUUID().toString());
                    token.executeUpdate();
                    upsert.setString(1, "c" + ThreadLocalRandom.current().nextInt(counters));
                    upsert.executeUpdate();
                });
            }
        };
    }

    /** {@code UPDATE … RETURNING} and the insert of the entry in one transaction. */
    Operation append() throws SQLException {
        return new Sent(connect()) {
            private final PreparedStatement next = connection.prepareStatement(
                    "UPDATE plain_counters SET v = v + 1 WHERE name = 'orders' RETURNING v");
            private final PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO plain_entries VALUES (?, 'c-17')");

            @Override
            public void run() throws SQLException {
                inTransaction(() -> {
                    try (ResultSet row = next.executeQuery()) {
                        row.next();
                        insert.setLong(1, row.getLong(1));
                    }
                    insert.executeUpdate();
                });
            }
        };
    }

    private interface Work {
        void run() throws SQLException;
    }

    private abstract class Sent implements Operation {
        final Connection connection;

        Sent(Connection connection) {
            this.connection = connection;
        }

        void inTransaction(Work work) throws SQLException {
            if (!isSqlite) {
                connection.setAutoCommit(false);
                work.run();
                connection.commit();
                return;
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("BEGIN IMMEDIATE");
                work.run();
                statement.execute("COMMIT");
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
