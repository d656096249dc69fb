package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.server.PostgresServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A standby, whose answers are old, and the failover to it. */
class StandbyTest {
    private static final JdbcCounterOptions OPTIONS =
            JdbcCounterOptions.builder().createTables(true).build();

    @Test
    void standby_answersNothing_andTheCallsThatWaitForTheFailoverSucceed() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            JdbcCounterBackend backend = JdbcCounterBackend.create(server.dataSource(), OPTIONS);
            try (Counters hasty = Counters.over(
                            JdbcCounterBackend.create(server.dataSource(), OPTIONS),
                            CountersOptions.builder()
                                    .deadline(Duration.ofSeconds(2))
                                    .build());
                    Counters patient = Counters.over(
                            backend,
                            CountersOptions.builder()
                                    .deadline(Duration.ofMinutes(5))
                                    .build())) {
                patient.counter("likes").add(3);
                patient.sequence("orders").next();
                server.kill();
                server.becomeStandby();
                server.startAgain();
                String cause = "if the server is a standby, the data source must lead to the primary server";
                assertThatExceptionOfType(NotAppliedException.class)
                        .isThrownBy(() -> hasty.counter("likes").get())
                        .withMessageContaining(cause);
                assertThatExceptionOfType(NotAppliedException.class)
                        .isThrownBy(() -> hasty.sequence("orders").read(1, 1))
                        .withMessageContaining(cause);
                CompletableFuture<?> add = patient.counter("likes").async().add(1);
                CompletableFuture<?> append = patient.sequence("orders").async().next();
                server.promote();
                assertThat(add).succeedsWithin(Duration.ofMinutes(5));
                assertThat(append).succeedsWithin(Duration.ofMinutes(5));
                assertThat(patient.counter("likes").get()).isEqualTo(4);
                assertThat(patient.sequence("orders").last()).isEqualTo(2);
            }
        }
    }
}
