package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.jdbc.server.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Processes that start at the same moment, before there are tables. */
class FirstStartTest {
    private static final int PROCESSES = 8;

    private final JdbcCounterOptions options = JdbcCounterOptions.builder()
            .tablePrefix(PostgresFixture.unusedPrefix())
            .createTables(true)
            .build();

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void allProcessesStart_whateverTheDefaultIsolation(String isolation) throws Exception {
        PGSimpleDataSource source = PostgresServer.shared();
        source.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
        CyclicBarrier start = new CyclicBarrier(PROCESSES);
        ExecutorService threads = Executors.newFixedThreadPool(PROCESSES);
        try {
            List<Future<JdbcCounterBackend>> processes = new ArrayList<>();
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(threads.submit(() -> {
                    start.await();
                    return JdbcCounterBackend.create(source, options);
                }));
            }
            long total = 0;
            for (Future<JdbcCounterBackend> process : processes) {
                try (Counters counters = Counters.over(process.get())) {
                    counters.counter("likes").increment();
                    total = counters.counter("likes").get();
                }
            }
            assertThat(total).isEqualTo(PROCESSES);
        } finally {
            threads.shutdown();
        }
    }
}
