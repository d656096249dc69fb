package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.server.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A pool whose connections the application keeps, and that waits for one longer than the deadline of a call. */
class BusyPoolTest {
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final JdbcCounterOptions options = JdbcCounterOptions.builder()
            .tablePrefix(PostgresFixture.unusedPrefix())
            .createTables(true)
            .build();

    @Test
    void callThatFindsNoConnection_isNotApplied_evenWhenThePoolHasOneAgain() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(PostgresServer.shared());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(WAIT.toMillis());
        try (HikariDataSource pool = new HikariDataSource(config);
                Counters counters = Counters.over(
                        JdbcCounterBackend.create(pool, options),
                        CountersOptions.builder().deadline(DEADLINE).build())) {
            try (Connection kept = pool.getConnection()) {
                assertThat(kept.isValid(1)).isTrue();
                // a busy machine may notice the deadline too late to tell the outcome, but not each time
                await().atMost(WAIT).untilAsserted(() -> {
                    Throwable failure =
                            catchThrowable(() -> counters.counter("likes").increment());
                    assertThat(failure).isInstanceOf(CounterException.class);
                    assertThat(failure)
                            .isInstanceOf(NotAppliedException.class)
                            .hasMessage("adding to 'likes' failed: all threads or connections were in use until the"
                                    + " deadline");
                });
            }
            await().atMost(WAIT).ignoreExceptions().untilAsserted(() -> {
                assertThat(counters.counter("likes").get()).isZero();
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            });
            counters.counter("likes").add(3);
            assertThat(counters.counter("likes").get()).isEqualTo(3);
        }
    }
}
