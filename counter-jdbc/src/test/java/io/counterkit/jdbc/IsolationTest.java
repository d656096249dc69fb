package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.jdbc.server.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A role of PostgreSQL may begin its transactions with another isolation, in which writers of one row conflict. */
class IsolationTest {
    private static final int PROCESSES = 3;
    private static final int ROUNDS = 8;

    private final JdbcCounterOptions options = JdbcCounterOptions.builder()
            .tablePrefix(PostgresFixture.unusedPrefix())
            .createTables(true)
            .build();
    private final List<Long> numbers = Collections.synchronizedList(new ArrayList<>());

    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void writersOfOneRow_loseAndRepeatNothing(String isolation) {
        PGSimpleDataSource source = PostgresServer.shared();
        source.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
        ExecutorService threads = Executors.newFixedThreadPool(PROCESSES);
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            String subject = "subject-" + i;
            writers.add(CompletableFuture.runAsync(() -> write(source, subject), threads));
        }
        writers.forEach(CompletableFuture::join);
        threads.shutdown();
        try (Counters counters = Counters.over(JdbcCounterBackend.create(source, options))) {
            assertThat(counters.counter("likes").get()).isEqualTo(11L * PROCESSES * ROUNDS);
            assertThat(numbers)
                    .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 3L * PROCESSES * ROUNDS)
                            .boxed()
                            .toList());
        }
    }

    /** Adds, appends with and without a subject, and repeats an add with its token. */
    private void write(PGSimpleDataSource source, String subject) {
        JdbcCounterBackend backend = JdbcCounterBackend.create(source, options);
        CountersOptions patient =
                CountersOptions.builder().deadline(Duration.ofMinutes(2)).build();
        try (Counters counters = Counters.over(backend, patient)) {
            for (int i = 0; i < ROUNDS; i++) {
                IdempotencyToken token = IdempotencyToken.random();
                counters.counter("likes").add(1, token);
                counters.counter("likes").add(1, token);
                numbers.add(counters.sequence("orders").next());
                Change change = i == 0 ? Change.ADDED : Change.UPDATED;
                numbers.add(counters.sequence("orders")
                        .append(change, subject, Map.of())
                        .number());
                numbers.addAll(backend.transact(IdempotencyToken.random(), tx -> {
                            tx.add("likes", 10);
                            tx.append("orders", Map.of());
                        })
                        .numbers());
            }
        }
    }
}
