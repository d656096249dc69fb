package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.SealedException;
import io.counterkit.TransactionResult;
import io.counterkit.jdbc.SchemaTest.Store;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions that the backend begins, commits and repeats. */
@ParameterizedClass
@EnumSource
class TransactTest {
    @Parameter
    private Store store = Store.SQLITE;

    @TempDir
    Path directory;

    private final JdbcFaults faults = new JdbcFaults();
    private final IdempotencyToken token = IdempotencyToken.random();
    private Shop shop;
    private Counters counters;

    @BeforeEach
    void open() throws SQLException {
        shop = new Shop(store, directory);
        counters = Counters.over(shop.backend);
    }

    @AfterEach
    void close() {
        counters.close();
    }

    private void assertOrders(long orders) throws SQLException {
        assertThat(shop.numbers())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, orders).boxed().toList());
        assertThat(counters.sequence(shop.name).last()).isEqualTo(orders);
        assertThat(counters.counter(shop.name).get()).isEqualTo(3 * orders);
    }

    @Test
    void everythingIsApplied_andOnceForAToken() throws SQLException {
        assertThat(shop.backend.transact(token, shop::order)).isEqualTo(new TransactionResult(List.of(1L), false));
        assertThat(shop.backend.transact(token, shop::order)).isEqualTo(new TransactionResult(List.of(1L), true));
        assertOrders(1);
    }

    @Test
    void functionThatThrows_changesNothing() throws SQLException {
        RuntimeException wrong = new IllegalArgumentException("refused on purpose");
        assertThatThrownBy(() -> shop.backend.transact(token, tx -> {
                    shop.order(tx);
                    throw wrong;
                }))
                .isSameAs(wrong);
        counters.counter(shop.name + "/sealed").seal("elsewhere");
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> shop.backend.transact(token, tx -> {
                    shop.order(tx);
                    tx.add(shop.name + "/sealed", 1);
                }));
        AtomicInteger runs = new AtomicInteger();
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> shop.backend.transact(token, tx -> {
                    shop.order(tx);
                    runs.incrementAndGet();
                    try (Statement statement = tx.connection().createStatement()) {
                        statement.execute("INSERT INTO no_table_" + System.nanoTime() + " VALUES (1)");
                    }
                }))
                .withMessageStartingWith("the transaction failed: ");
        assertThat(runs).hasValue(1);
        assertOrders(0);
        shop.backend.transact(token, shop::order);
        assertOrders(1);
    }

    /** Each call fails before it is sent, or loses its reply, the commit too. */
    @Test
    void lostReplies_repeatNothing() throws SQLException {
        DataSource disturbed = faults.around(shop.source, JdbcFaults.Calls.ROUND_TRIPS);
        JdbcCounterBackend backend = faults.create(() -> JdbcCounterBackend.create(disturbed));
        long orders = 0;
        int repeated = 0;
        for (StoreFault fault : new StoreFault[] {StoreFault.FAIL_BEFORE, StoreFault.LOSE_REPLY}) {
            boolean isHit = true;
            for (int call = 1; isHit; call++) {
                IdempotencyToken own = IdempotencyToken.random();
                try (InjectedFault injected = faults.inject(fault, call)) {
                    TransactionResult result = backend.transact(own, shop::order);
                    repeated += result.isRepeated() ? 1 : 0;
                    assertThat(result.numbers())
                            .as("%s at call %s", fault, call)
                            .containsExactly(++orders);
                    isHit = injected.isHit();
                } catch (OutcomeUnknownException e) {
                    assertThat(counters.resolve(own).applied()).isTrue();
                    orders++;
                }
                assertOrders(orders);
            }
        }
        assertThat(repeated).as("commits whose reply was lost").isEqualTo(1);
        backend.close();
    }

    /** The function interrupts its thread, and a call loses its reply: the transaction is not repeated. */
    @Test
    void interruptedThread_learnsTheOutcomeAndStaysInterrupted() throws SQLException {
        DataSource disturbed = faults.around(shop.source, JdbcFaults.Calls.ROUND_TRIPS);
        JdbcCounterBackend backend = faults.create(() -> JdbcCounterBackend.create(disturbed));
        long orders = 0;
        int unknown = 0;
        boolean isHit = true;
        for (int call = 1; isHit; call++) {
            IdempotencyToken own = IdempotencyToken.random();
            Throwable failure;
            try (InjectedFault lost = faults.inject(StoreFault.LOSE_REPLY, call)) {
                failure = catchThrowable(() -> backend.transact(own, tx -> {
                    shop.order(tx);
                    Thread.currentThread().interrupt();
                }));
                isHit = lost.isHit();
            }
            assertThat(Thread.interrupted())
                    .as("interrupted after call %s", call)
                    .isTrue();
            boolean isApplied = counters.resolve(own).applied();
            if (failure instanceof OutcomeUnknownException) {
                unknown++;
            } else {
                assertThat(failure == null)
                        .as("success of the call, which ended with %s", failure)
                        .isEqualTo(isApplied);
            }
            orders += isApplied ? 1 : 0;
            assertOrders(orders);
        }
        assertThat(unknown).as("commits whose reply was lost").isEqualTo(1);
        backend.close();
    }

    /** Each of two transactions has what the other one waits for. On PostgreSQL one of them is ended, and repeated. */
    @Test
    void transactionsThatWaitForEachOther_areRepeated() throws Exception {
        List<String> names = List.of(shop.name + "/a", shop.name + "/b");
        names.forEach(name -> counters.counter(name).add(0));
        CyclicBarrier together = new CyclicBarrier(2);
        AtomicInteger runs = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String first = names.get(i);
            String second = names.get(1 - i);
            running.add(threads.submit(() -> shop.backend.transact(IdempotencyToken.random(), tx -> {
                tx.add(first, 1);
                if (store == Store.POSTGRESQL && runs.incrementAndGet() <= 2) {
                    meet(together);
                }
                tx.add(second, 10);
            })));
        }
        for (Future<?> transaction : running) {
            transaction.get();
        }
        threads.shutdown();
        assertThat(counters.counter(names.get(0)).get()).isEqualTo(11);
        assertThat(counters.counter(names.get(1)).get()).isEqualTo(11);
        assertThat(runs.get()).isEqualTo(store == Store.POSTGRESQL ? 3 : 0);
    }

    /** The statement would take as long at each attempt. */
    @Test
    void timeLimitOfTheApplication_isNoContention() throws SQLException {
        if (store == Store.SQLITE) {
            return; // it has no such limit
        }
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> shop.backend.transact(token, tx -> {
                    runs.incrementAndGet();
                    shop.order(tx);
                    try (Statement statement = tx.connection().createStatement()) {
                        statement.execute("SET LOCAL statement_timeout = 50; SELECT pg_sleep(600)");
                    }
                }))
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessageContaining("statement timeout");
        assertThat(runs).hasValue(1);
        assertOrders(0);
    }

    /** So the server's answer to a wait for a lock comes first, and states the contention. */
    @Test
    void networkIsWaitedForLongerThanAStatement() {
        if (store == Store.SQLITE) {
            return; // it has no network
        }
        List<Integer> millis = new ArrayList<>();
        shop.backend.transact(token, tx -> millis.add(tx.connection().getNetworkTimeout()));
        assertThat(millis).containsExactly(22_000);
    }

    /** A crash of the machine can lose the commits of these connections, unless a transaction asks for more. */
    @Test
    void commit_isDurable_alsoOnConnectionsThatAreNot() throws SQLException {
        boolean isSqlite = store == Store.SQLITE;
        String show = isSqlite ? "PRAGMA synchronous" : "SHOW synchronous_commit";
        HikariConfig config = new HikariConfig();
        config.setDataSource(shop.source);
        config.setConnectionInitSql(isSqlite ? "PRAGMA synchronous = OFF" : "SET synchronous_commit TO off");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcCounterBackend backend = JdbcCounterBackend.create(pool);
            List<String> within = new ArrayList<>();
            backend.transact(token, tx -> {
                shop.order(tx);
                within.add(setting(tx.connection(), show));
            });
            assertThat(within).containsExactly(isSqlite ? "2" : "on");
            try (Connection given = pool.getConnection()) { // the one that this thread has had before
                assertThat(setting(given, show)).isEqualTo(isSqlite ? "0" : "off");
                assertThat(given.getAutoCommit()).isTrue();
            }
            backend.close();
        }
        assertOrders(1);
    }

    private static String setting(Connection connection, String show) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(show)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void numbers_leaveOutWhatWasUndoneByASavepoint() throws SQLException {
        TransactionResult result = shop.backend.transact(token, tx -> {
            shop.order(tx);
            Savepoint savepoint = tx.connection().setSavepoint();
            shop.order(tx);
            tx.connection().rollback(savepoint);
        });
        assertThat(result.numbers()).containsExactly(1L);
        assertOrders(1);
    }

    /** PostgreSQL ends the transaction then, and its driver's commit would return normally. */
    @Test
    void exceptionThatTheFunctionIgnores_isNotLost() throws SQLException {
        if (store == Store.SQLITE) {
            return; // a statement that fails ends nothing there
        }
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> shop.backend.transact(token, tx -> {
                    shop.order(tx);
                    try (Statement statement = tx.connection().createStatement()) {
                        statement.execute("SELECT 1 / 0");
                    } catch (SQLException e) {
                        assertThat(e.getSQLState()).isEqualTo("22012");
                    }
                }))
                .withMessageContaining("its exception was ignored");
        assertOrders(0);
    }
}
