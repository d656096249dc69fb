package io.counterkit.samples.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.Call;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.h2.api.ErrorCode;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class PurgeTest {
    private final JdbcDataSource source = new JdbcDataSource();

    PurgeTest() {
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    @Test
    void tokensWithinTheRetention_areKept() throws SQLException {
        H2Backend backend = H2Backend.create(source);
        Call call = new Call(Duration.ofSeconds(20), CountersListener.disabled());
        try (Counters counters = Counters.over(backend)) {
            IdempotencyToken token = IdempotencyToken.random();
            counters.counter("likes").add(5, token);
            age(Duration.ofHours(24));
            assertThat(backend.purgeTokens(call).join()).isZero();
            counters.counter("likes").add(5, token);
            assertThat(counters.counter("likes").get()).isEqualTo(5);

            age(Duration.ofHours(26));
            assertThat(backend.purgeTokens(call).join()).isEqualTo(1);
            counters.counter("likes").add(5, token);
            assertThat(counters.counter("likes").get()).isEqualTo(10);
        }
    }

    @Test
    void purgeWithoutAReply_isNotReportedAsNotApplied() {
        H2Backend backend = H2Backend.create(source, new Wire() {
            @Override
            public <T> T call(Callable<T> transaction) throws Exception {
                transaction.call();
                throw new SQLException("the reply was lost", "08006", ErrorCode.CONNECTION_BROKEN_1);
            }
        });
        try (backend) {
            Call call = new Call(Duration.ofMillis(100), CountersListener.disabled());
            assertThatThrownBy(() -> backend.purgeTokens(call).join())
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("purging tokens may have been applied");
        }
    }

    private void age(Duration age) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE ck_token SET created_at = "
                    + Instant.now().minus(age).toEpochMilli());
        }
    }
}
