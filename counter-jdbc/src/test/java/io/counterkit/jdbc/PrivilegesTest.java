package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counters;
import io.counterkit.jdbc.server.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A user of PostgreSQL who lacks a privilege that no change needs. */
class PrivilegesTest {
    private final String prefix = PostgresFixture.unusedPrefix();
    private final PGSimpleDataSource owner = PostgresServer.shared();
    private final JdbcCounterOptions options = JdbcCounterOptions.builder()
            .tablePrefix(prefix)
            .createTables(true)
            .purgeInterval(Duration.ofMillis(1))
            .build();

    /** Otherwise the table of tokens grows, and nothing shows it. */
    @Test
    void missingPrivilegeToDelete_isReportedByTheLog() throws SQLException {
        JdbcCounterBackend.create(owner, options).close();
        String user = prefix + "user";
        SchemaTest.execute(owner, "CREATE ROLE " + user + " LOGIN PASSWORD '" + user + "'");
        for (String table : List.of("counters", "tokens", "version")) {
            SchemaTest.execute(owner, "GRANT SELECT, INSERT, UPDATE ON " + prefix + table + " TO " + user);
        }
        PGSimpleDataSource source = PostgresServer.shared();
        source.setUser(user);
        source.setPassword(user); // the server may ask for it
        Warnings warnings = new Warnings();
        Logger logger = Logger.getLogger("io.counterkit.jdbc.internal.store.TokenPurge");
        logger.addHandler(warnings);
        try (Counters counters = Counters.over(JdbcCounterBackend.create(source, options))) {
            await().untilAsserted(() -> {
                counters.counter("likes").increment();
                assertThat(warnings.thrown)
                        .anySatisfy(failure -> assertThat(failure)
                                .hasMessageContaining("the user lacks a privilege")
                                .hasMessageContaining(prefix + "tokens"));
            });
        } finally {
            logger.removeHandler(warnings);
            SchemaTest.execute(owner, "DROP OWNED BY " + user);
            SchemaTest.execute(owner, "DROP ROLE " + user);
        }
    }

    private static final class Warnings extends Handler {
        private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();

        @Override
        public void publish(LogRecord event) {
            if (event.getLevel().equals(Level.WARNING)) {
                thrown.add(event.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
