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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
import javax.sql.DataSource;
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
            JdbcCounterBackend backend = backend(pool);
            SchemaTest.execute(pool, "CREATE TABLE invoice (number bigint NOT NULL)");
            try (Counters counters = Counters.over(backend);
                    Follower follower = counters.sequence("invoices")
                            .follow(
                                    1,
                                    FollowOptions.defaults().withCadence(Duration.ofMillis(20)),
                                    entry -> followed.add(entry.number()))) {
                List<Future<List<Long>>> writers = new ArrayList<>();
                for (int i = 0; i < WRITERS / 2; i++) {
                    writers.add(threads.submit(() ->
                            invoice(counters, token -> backend.transact(token, tx -> insert(tx)))));
                    writers.add(threads.submit(() -> invoice(counters, token -> within(pool, backend, token))));
                }
                kill(server, acknowledged::get);
                end(writers);
                List<Long> all =
                        LongStream.rangeClosed(1, acknowledged.get()).boxed().toList();
                assertThat(invoices(pool)).containsExactlyElementsOf(all);
                assertThat(counters.sequence("invoices").last()).isEqualTo(all.size());
                assertThat(counters.counter("invoices").get()).isEqualTo(all.size());
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

    /** A transaction that numbers an invoice, and counts it. */
    private interface Invoice {
        void make(IdempotencyToken token) throws SQLException;
    }

    /** Makes invoices until all kills are done. If one fails, its token decides whether it was applied. */
    private List<Long> invoice(Counters counters, Invoice invoice) {
        while (!isOver.get()) {
            IdempotencyToken token = IdempotencyToken.random();
            try {
                invoice.make(token);
                acknowledged.incrementAndGet();
            } catch (CounterException | SQLException e) {
                if (counters.settle(token, LONG).applied()) {
                    acknowledged.incrementAndGet();
                }
            }
        }
        return List.of();
    }

    private static void within(DataSource pool, JdbcCounterBackend backend, IdempotencyToken token)
            throws SQLException {
        try (Connection connection = Shop.begin(pool)) { // the pool rolls back what is not committed
            insert(backend.within(connection, token));
            connection.commit();
        }
    }

    private static void insert(JdbcTransaction tx) throws SQLException {
        long number = tx.append("invoices", Map.of("customer", "c-17"));
        tx.add("invoices", 1);
        try (PreparedStatement insert = tx.connection().prepareStatement("INSERT INTO invoice VALUES (?)")) {
            insert.setLong(1, number);
            insert.executeUpdate();
        }
    }

    private static List<Long> invoices(DataSource source) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT number FROM invoice ORDER BY number")) {
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }
}
