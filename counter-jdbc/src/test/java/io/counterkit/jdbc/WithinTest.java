package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.ContentionException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.jdbc.SchemaTest.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Adds and appends in a transaction that the application begins and ends. */
@ParameterizedClass
@EnumSource
class WithinTest {
    private static final int CALLERS = 4;
    private static final int TRANSACTIONS = 12;
    private static final int MANY = 8;

    @Parameter
    private Store store = Store.SQLITE;

    @TempDir
    Path directory;

    private Shop shop;
    private Counters counters;
    private final IdempotencyToken token = IdempotencyToken.random();

    @BeforeEach
    void open() throws SQLException {
        shop = new Shop(store, directory);
        counters = Counters.over(
                shop.backend,
                CountersOptions.builder().deadline(Duration.ofMinutes(1)).build());
    }

    @AfterEach
    void close() {
        counters.close();
    }

    @Test
    void everythingIsAppliedByTheCommitOfTheApplication() throws SQLException {
        try (Connection connection = Shop.begin(shop.source)) {
            assertThat(shop.order(connection, token)).isEqualTo(1);
            assertThat(counters.sequence(shop.name).last()).isZero();
            assertThat(counters.counter(shop.name).get()).isZero();
            connection.commit();
        }
        assertThat(counters.sequence(shop.name).read(1, 9))
                .extracting(Entry::fields)
                .containsExactly(Map.of("customer", "c-17"));
        assertThat(counters.counter(shop.name).get()).isEqualTo(3);
        assertThat(shop.orders()).isEqualTo(1);
        assertThat(counters.resolve(token)).isEqualTo(new Resolution.Committed());
    }

    @Test
    void rollback_usesUpNoNumberAndNoToken() throws SQLException {
        try (Connection connection = Shop.begin(shop.source)) {
            assertThat(shop.order(connection, token)).isEqualTo(1);
            connection.rollback();
            assertThat(shop.order(connection, token)).isEqualTo(1);
            connection.rollback();
        }
        assertThat(counters.sequence(shop.name).next()).isEqualTo(1);
        assertThat(counters.counter(shop.name).get()).isZero();
        assertThat(counters.resolve(token)).isEqualTo(new Resolution.NotApplied());
    }

    /** Without its token, the changes of a transaction would be counted again by a repetition. */
    @Test
    void changesAfterARollback_areRefused() throws SQLException {
        try (Connection connection = Shop.begin(shop.source)) {
            JdbcTransaction tx = shop.backend.within(connection, token);
            tx.add(shop.name, 5);
            connection.rollback();
            for (ThrowingCallable change :
                    List.<ThrowingCallable>of(() -> tx.add(shop.name, 1), () -> tx.append(shop.name, Map.of()))) {
                assertThatIllegalStateException()
                        .isThrownBy(change)
                        .withMessageEndingWith("'" + shop.name + "': the transaction with token " + token
                                + " was rolled back: roll back, and call within again");
                connection.rollback();
            }
            shop.backend.within(connection, token).add(shop.name, 1);
            connection.commit();
        }
        assertThat(counters.counter(shop.name).get()).isEqualTo(1);
        assertThat(counters.sequence(shop.name).tail().last()).isZero();
        assertThat(counters.resolve(token)).isEqualTo(new Resolution.Committed());
    }

    @Test
    void savepointThatIsRolledBack_givesItsNumberBack() throws SQLException {
        try (Connection connection = Shop.begin(shop.source)) {
            JdbcTransaction tx = shop.backend.within(connection, token);
            assertThat(tx.append(shop.name, Map.of())).isEqualTo(1);
            Savepoint savepoint = connection.setSavepoint();
            assertThat(tx.append(shop.name, Map.of())).isEqualTo(2);
            tx.add(shop.name, 5);
            connection.rollback(savepoint);
            assertThat(tx.append(shop.name, Map.of("kept", true))).isEqualTo(2);
            connection.commit();
            assertThat(shop.backend.within(connection, token).numbers()).containsExactly(1L, 2L);
            connection.rollback();
        }
        assertThat(counters.sequence(shop.name).tail().liveCount()).isEqualTo(2);
        assertThat(counters.sequence(shop.name).read(2, 2).get(0).fields()).isEqualTo(Map.of("kept", true));
        assertThat(counters.counter(shop.name).get()).isZero();
    }

    @Test
    void transactionThatIsSentAgain_isRecognisedByItsToken() throws SQLException {
        try (Connection connection = Shop.begin(shop.source)) {
            shop.order(connection, token);
            connection.commit();
            assertThat(shop.order(connection, token)).isEqualTo(1);
            JdbcTransaction again = shop.backend.within(connection, token);
            assertThat(again.isRepeated()).isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(() -> again.add(shop.name, 1))
                    .withMessage("adding to '" + shop.name + "': the transaction with token " + token
                            + " was committed before; do nothing if it is repeated");
            connection.commit();
        }
        assertThat(shop.orders()).isEqualTo(1);
        assertThat(counters.counter(shop.name).get()).isEqualTo(3);
    }

    @Test
    void tokenOfAnotherChange_isRefused() throws SQLException {
        counters.counter(shop.name).add(1, token);
        IdempotencyToken never = IdempotencyToken.random();
        counters.resolve(never);
        try (Connection connection = Shop.begin(shop.source)) {
            for (IdempotencyToken taken : List.of(token, never)) {
                assertThatExceptionOfType(TokenRefusedException.class)
                        .isThrownBy(() -> shop.backend.within(connection, taken))
                        .withMessageStartingWith("transaction: token " + taken + " stands for ");
            }
            shop.order(connection, IdempotencyToken.of("t" + token));
            connection.commit();
        }
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter(shop.name).add(1, IdempotencyToken.of("t" + token)));
    }

    @Test
    void refusals_changeNothingAndTheTransactionCanContinue() throws SQLException {
        counters.counter(shop.name + "/sealed").seal("elsewhere");
        counters.sequence(shop.name + "/sealed").seal("elsewhere");
        try (Connection connection = Shop.begin(shop.source)) {
            JdbcTransaction tx = shop.backend.within(connection);
            assertThatExceptionOfType(SealedException.class).isThrownBy(() -> tx.add(shop.name + "/sealed", 1));
            assertThatExceptionOfType(SealedException.class)
                    .isThrownBy(() -> tx.append(shop.name + "/sealed", Map.of()));
            assertThat(tx.append(shop.name, Change.ADDED, "tea", Map.of())).isEqualTo(1);
            assertThatExceptionOfType(ChangeRefusedException.class)
                    .isThrownBy(() -> tx.append(shop.name, Change.ADDED, "tea", Map.of()));
            assertThatIllegalArgumentException().isThrownBy(() -> tx.append(shop.name, Change.REMOVED, null, Map.of()));
            assertThatIllegalArgumentException().isThrownBy(() -> tx.add("", 1));
            assertThat(tx.append(shop.name, Change.REMOVED, "tea", Map.of())).isEqualTo(2);
            tx.add(shop.name, -2);
            connection.commit();
        }
        assertThat(counters.sequence(shop.name).tail().liveCount()).isZero();
        assertThat(counters.counter(shop.name).get()).isEqualTo(-2);
    }

    @Test
    void connectionThatCommitsByItself_orLeadsElsewhere_isRefused() throws SQLException {
        try (Connection connection = shop.source.getConnection()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> shop.backend.within(connection))
                    .withMessage("the connection is in autocommit mode: call setAutoCommit(false) first,"
                            + " and commit when all is done");
        }
        Store other = store == Store.SQLITE ? Store.POSTGRESQL : Store.SQLITE;
        try (Connection connection = Shop.begin(other.source(directory))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> shop.backend.within(connection))
                    .withMessageMatching(
                            "the connection leads to \\w+, and this backend to \\w+: use a connection to the database of this backend");
        }
    }

    /** The answer to a further attempt, shortly before the deadline, could come too late. */
    @Test
    void changeThatWaitsForItsOwnCaller_endsAtTheDeadlineAndNamesTheCause() throws SQLException {
        List<Throwable> retries = new CopyOnWriteArrayList<>();
        CountersOptions options = CountersOptions.builder()
                .deadline(Duration.ofSeconds(2))
                .listener(new CountersListener() {
                    @Override
                    public void onRetry(Throwable cause) {
                        retries.add(cause);
                    }
                })
                .build();
        Counters hasty = Counters.over(shop.backend, options);
        List<IdempotencyToken> adds = new ArrayList<>();
        List<IdempotencyToken> appends = new ArrayList<>();
        try (Connection connection = Shop.begin(shop.source)) {
            shop.order(connection, token);
            assertThat(knownFailure(() -> hasty.sequence(shop.name).next(), appends))
                    .isInstanceOf(ContentionException.class)
                    .hasMessageStartingWith("appending to '" + shop.name + "' failed: ")
                    .hasMessageContaining("perhaps an open transaction of this program has")
                    .hasMessageEndingWith(": make this change within it, or end it first");
            assertThat(knownFailure(() -> hasty.counter(shop.name).add(1), adds))
                    .isInstanceOf(ContentionException.class);
            assertThat(retries).isEmpty();
            connection.commit();
        }
        assertThat(counters.sequence(shop.name).next()).isEqualTo(2 + applied(appends));
        assertThat(counters.counter(shop.name).get()).isEqualTo(3 + applied(adds));
    }

    /**
     * Returns a failure with a known outcome. On a busy machine a call may give up before the database answers, but not
     * each time.
     */
    private static Throwable knownFailure(ThrowingCallable change, List<IdempotencyToken> unknown) {
        Throwable failure = catchThrowable(change);
        while (failure instanceof OutcomeUnknownException hidden) {
            unknown.add(hidden.token());
            assertThat(unknown).as("changes whose outcome is unknown").hasSizeLessThan(MANY);
            failure = catchThrowable(change);
        }
        return failure;
    }

    private long applied(List<IdempotencyToken> tokens) {
        return tokens.stream().filter(each -> counters.resolve(each).applied()).count();
    }

    @Test
    void transactionThatWaitsUntilItsStatementIsCancelled_meetsContention() throws SQLException {
        counters.counter(shop.name).add(1);
        try (Connection first = Shop.begin(shop.source);
                Connection second = Shop.begin(store.source(directory))) {
            shop.backend.within(first).add(shop.name, 1);
            try (Statement limit = second.createStatement()) {
                limit.execute(
                        store == Store.SQLITE ? "PRAGMA busy_timeout = 300" : "SET LOCAL statement_timeout = 300");
            }
            assertThatExceptionOfType(ContentionException.class)
                    .isThrownBy(() -> shop.backend.within(second).add(shop.name, 1))
                    .withMessageEndingWith("; roll the transaction back");
            second.rollback();
            first.commit();
        }
        assertThat(counters.counter(shop.name).get()).isEqualTo(2);
    }

    @Test
    void closedBackend_isRefused() throws SQLException {
        JdbcCounterBackend other = JdbcCounterBackend.create(shop.source);
        try (Connection connection = Shop.begin(shop.source)) {
            JdbcTransaction tx = other.within(connection);
            tx.add(shop.name, 1);
            other.close();
            assertThatIllegalStateException()
                    .isThrownBy(() -> tx.add(shop.name, 1))
                    .withMessage("this backend is closed");
            assertThatIllegalStateException()
                    .isThrownBy(() -> other.within(connection))
                    .withMessage("this backend is closed");
            connection.commit();
        }
        assertThat(counters.counter(shop.name).get()).isEqualTo(1);
    }

    private interface Caller {
        List<Long> run(int caller) throws SQLException;
    }

    private static List<Long> atOnce(Caller run) throws Exception {
        CyclicBarrier ready = new CyclicBarrier(CALLERS);
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        List<Future<List<Long>>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            callers.add(threads.submit(() -> {
                ready.await();
                return run.run(caller);
            }));
        }
        List<Long> committed = new ArrayList<>();
        for (Future<List<Long>> caller : callers) {
            committed.addAll(caller.get());
        }
        threads.shutdown();
        return committed;
    }

    @Test
    void callersWithoutTokens_waitForEachOther() throws Exception {
        List<Long> committed = atOnce(caller -> {
            List<Long> numbers = new ArrayList<>();
            try (Connection connection = Shop.begin(shop.source)) {
                for (int i = 0; i < TRANSACTIONS; i++) {
                    numbers.add(shop.backend.within(connection).append(shop.name, Map.of()));
                    connection.commit();
                }
            }
            return numbers;
        });
        assertThat(committed)
                .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, CALLERS * TRANSACTIONS)
                        .boxed()
                        .toList());
    }

    @Test
    void callersAtOnce_leaveNoGapAndNothingDouble() throws Exception {
        List<Long> committed = atOnce(this::orders);
        // Each token is used by two callers, and only one of them has stored its order.
        assertThat(committed.stream().distinct().sorted().toList())
                .isEqualTo(LongStream.rangeClosed(1, shop.orders()).boxed().toList());
        assertThat(committed).hasSize(2 * (int) shop.orders());
        assertThat(counters.sequence(shop.name).last()).isEqualTo(shop.orders());
        assertThat(counters.counter(shop.name).get()).isEqualTo(3 * shop.orders());
    }

    /** Orders under tokens that another caller uses too. Rolls back some before it commits them. */
    private List<Long> orders(int caller) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (Connection connection = Shop.begin(shop.source)) {
            for (int i = 0; i < TRANSACTIONS; i++) {
                IdempotencyToken shared = IdempotencyToken.of(shop.name + "/" + caller / 2 + "/" + i);
                if (i % 3 == caller % 3) {
                    shop.order(connection, shared);
                    connection.rollback();
                }
                numbers.add(shop.order(connection, shared));
                connection.commit();
            }
        }
        return numbers;
    }
}
