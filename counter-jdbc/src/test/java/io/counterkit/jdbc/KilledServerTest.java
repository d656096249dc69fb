package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.Outcome;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.jdbc.server.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The server is killed in the middle of adds and appends, and started again. */
class KilledServerTest {
    private static final int WRITERS = 8;
    private static final int KILLS = 2;
    private static final long CHANGES_BETWEEN_KILLS = 200;

    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @Test
    void nothingAcknowledgedIsLost_andNothingIsDouble() throws Exception {
        CountersOptions patient =
                CountersOptions.builder().deadline(Duration.ofMinutes(2)).build();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (PostgresServer server = PostgresServer.start();
                Counters counters = Counters.over(
                        JdbcCounterBackend.create(
                                server.dataSource(),
                                JdbcCounterOptions.builder().createTables(true).build()),
                        patient)) {
            List<Future<?>> adders = new ArrayList<>();
            List<Future<List<Long>>> appenders = new ArrayList<>();
            for (int i = 0; i < WRITERS / 2; i++) {
                adders.add(threads.submit(() -> add(counters)));
                appenders.add(threads.submit(() -> append(counters)));
            }
            for (int kill = 1; kill <= KILLS; kill++) {
                long changes = acknowledged.get() + CHANGES_BETWEEN_KILLS;
                await().atMost(Duration.ofMinutes(2)).until(() -> acknowledged.get() >= changes);
                server.kill();
                server.startAgain();
            }
            isOver.set(true);
            for (Future<?> adder : adders) {
                adder.get();
            }
            List<Long> numbers = new ArrayList<>();
            for (Future<List<Long>> appender : appenders) {
                numbers.addAll(appender.get());
            }
            assertThat(counters.counter("likes").get()).isEqualTo(acknowledged.get() - numbers.size());
            assertThat(counters.sequence("orders").last()).isEqualTo(numbers.size());
            assertThat(numbers).doesNotHaveDuplicates();
        } finally {
            threads.shutdownNow();
        }
    }

    private void add(Counters counters) {
        while (!isOver.get()) {
            try {
                counters.counter("likes").increment();
                acknowledged.incrementAndGet();
            } catch (OutcomeUnknownException e) {
                if (counters.settle(e.token(), Duration.ofMinutes(2)).applied()) {
                    acknowledged.incrementAndGet();
                }
            } catch (CounterException e) {
                assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED);
            }
        }
    }

    private List<Long> append(Counters counters) {
        List<Long> numbers = new ArrayList<>();
        while (!isOver.get()) {
            Entry entry = counters.sequence("orders").append(Map.of("customer", "c-17"));
            numbers.add(entry.number());
            acknowledged.incrementAndGet();
        }
        return numbers;
    }
}
