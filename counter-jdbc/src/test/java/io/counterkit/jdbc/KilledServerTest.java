package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.IdempotencyToken;
import io.counterkit.jdbc.server.PostgresServer;
import io.counterkit.soak.Soak;
import io.counterkit.soak.SoakOptions;
import io.counterkit.soak.SoakReport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The server is killed in the middle of changes, and started again: each change takes effect once or not at all. */
class KilledServerTest {
    private static final int WRITERS = 8;
    private static final int KILLS = 2;
    private static final long CHANGES_BETWEEN_KILLS = 200;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicBoolean isOver = new AtomicBoolean();

    private static HikariDataSource pool(PostgresServer server) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(2 * WRITERS);
        return new HikariDataSource(config);
    }

    private static JdbcCounterBackend backend(HikariDataSource pool) {
        return JdbcCounterBackend.create(
                pool, JdbcCounterOptions.builder().createTables(true).build());
    }

    /** Kills the server after some changes, several times, and at last lets some more changes be made. */
    private static void kill(PostgresServer server, LongSupplier changes) throws Exception {
        for (int kill = 1; kill <= KILLS; kill++) {
            awaitMore(changes);
            server.kill();
            server.startAgain();
        }
        awaitMore(changes);
    }

    private static void awaitMore(LongSupplier changes) {
        long enough = changes.getAsLong() + CHANGES_BETWEEN_KILLS;
        await().atMost(LONG).until(() -> changes.getAsLong() >= enough);
    }

    @Tag("exhaustive")
    @Test
    void soak_isExact() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        AtomicLong operations = new AtomicLong();
        try (PostgresServer server = PostgresServer.start();
                HikariDataSource pool = pool(server)) {
            Future<?> killer = thread.submit(() -> {
                kill(server, operations::get);
                return null;
            });
            SoakOptions options = SoakOptions.builder()
                    .names(20, 3)
                    .duration(LONG.multipliedBy(KILLS + 1))
                    .operations(Long.MAX_VALUE)
                    .listener(report -> operations.set(report.adds() + report.appends() - report.notApplied()))
                    .stopWhen(killer::isDone)
                    .build();
            SoakReport report = Soak.create(backend(pool), options).run();
            killer.get();
            assertThat(report.firstDifferences()).as("seed %s", report.seed()).isEmpty();
            assertThat(report.isExact()).isTrue();
        } finally {
            thread.shutdownNow();
        }
    }

    /** The deadline is longer than a restart, so that no change may fail. */
    @Test
    void patientCallers_seeNoFailure() throws Exception {
        CountersOptions patient = CountersOptions.builder().deadline(LONG).build();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (PostgresServer server = PostgresServer.start();
                HikariDataSource pool = pool(server);
                Counters counters = Counters.over(backend(pool), patient)) {
            List<Future<List<Long>>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS / 2; i++) {
                writers.add(threads.submit(() -> add(counters)));
                writers.add(threads.submit(() -> append(counters)));
            }
            kill(server, acknowledged::get);
            List<Long> numbers = end(writers);
            assertThat(counters.counter("likes").get()).isEqualTo(acknowledged.get() - numbers.size());
            assertThat(counters.sequence("orders").last()).isEqualTo(numbers.size());
            assertThat(numbers).doesNotHaveDuplicates();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Transactions append, add and insert a row; a follower receives the entries meanwhile. */
    @Tag("exhaustive")
    @Test
    void transactions_areAppliedAsAWhole() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        Queue<Long> followed = new ConcurrentLinkedQueue<>();
        try (PostgresServer server = PostgresServer.start();
                HikariDataSource pool = pool(server)) {
            Shop shop = new Shop(pool);
            try (Counters counters = Counters.over(shop.backend);
                    Follower follower = counters.sequence(shop.name)
                            .follow(
                                    1,
                                    FollowOptions.defaults().withCadence(Duration.ofMillis(20)),
                                    entry -> followed.add(entry.number()))) {
                List<Future<List<Long>>> writers = new ArrayList<>();
                for (int i = 0; i < WRITERS / 2; i++) {
                    writers.add(threads.submit(
                            () -> order(counters, token -> shop.backend.transact(token, shop::order))));
                    writers.add(threads.submit(() -> order(counters, token -> within(shop, token))));
                }
                kill(server, acknowledged::get);
                end(writers);
                List<Long> all =
                        LongStream.rangeClosed(1, acknowledged.get()).boxed().toList();
                assertThat(shop.numbers()).containsExactlyElementsOf(all);
                assertThat(counters.sequence(shop.name).last()).isEqualTo(all.size());
                assertThat(counters.counter(shop.name).get()).isEqualTo(3L * all.size());
                await().atMost(LONG).until(() -> follower.position() == all.size());
                assertThat(followed).containsExactlyElementsOf(all);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Ends the writers, and returns the numbers of their entries. */
    private List<Long> end(List<Future<List<Long>>> writers) throws Exception {
        isOver.set(true);
        List<Long> numbers = new ArrayList<>();
        for (Future<List<Long>> writer : writers) {
            numbers.addAll(writer.get());
        }
        return numbers;
    }

    private List<Long> add(Counters counters) {
        while (!isOver.get()) {
            counters.counter("likes").increment();
            acknowledged.incrementAndGet();
        }
        return List.of();
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

    /** A transaction that stores an order. */
    private interface Order {
        void make(IdempotencyToken token) throws SQLException;
    }

    /** Makes orders until all kills are done. If one fails, its token decides whether it was applied. */
    private List<Long> order(Counters counters, Order order) {
        while (!isOver.get()) {
            IdempotencyToken token = IdempotencyToken.random();
            try {
                order.make(token);
                acknowledged.incrementAndGet();
            } catch (CounterException | SQLException e) {
                if (counters.settle(token, LONG).applied()) {
                    acknowledged.incrementAndGet();
                }
            }
        }
        return List.of();
    }

    private static void within(Shop shop, IdempotencyToken token) throws SQLException {
        try (Connection connection = Shop.begin(shop.source)) { // the pool rolls back what is not committed
            shop.order(connection, token);
            connection.commit();
        }
    }
}
