package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.TransactionResult;
import io.counterkit.firestore.fixture.EndingCalls;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.fixture.HeldReplies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what the function of a transaction may do, and the outcome of its exceptions. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TransactBodyTest {
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final FirestoreCounterBackend backend = fixture.connect();
    private final Counters counters = Counters.over(backend);
    private final String name = "c-" + UUID.randomUUID();

    @AfterEach
    void close() {
        counters.close();
        fixture.close();
    }

    @Test
    void blockingFunctions_delayNothingElse() throws Exception {
        counters.counter(name).add(1);
        CountDownLatch resetDone = new CountDownLatch(1);
        List<CompletableFuture<TransactionResult>> transactions = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            transactions.add(backend.transact(IdempotencyToken.random(), transaction -> {
                resetDone.await();
                transaction.add(name, 1);
            }));
        }
        try {
            counters.counter(name).reset();
        } finally {
            resetDone.countDown();
        }
        for (CompletableFuture<TransactionResult> transaction : transactions) {
            transaction.get();
        }
        assertThat(counters.counter(name).get()).isEqualTo(20);
    }

    @Test
    void documentThatTheStoreRejects_isNotRetriedUntilTheDeadline() {
        String tooLarge = "x".repeat(1_100_000);
        assertThatThrownBy(backend.transact(
                        IdempotencyToken.random(),
                        transaction -> transaction
                                .transaction()
                                .set(fixture.client().document("things/" + name), Map.of("text", tooLarge)))::get)
                .cause()
                .isInstanceOf(CounterException.class);
        assertThat(fixture.faults().calls().stream().filter("Commit"::equals).count())
                .isLessThan(15);
    }

    static List<Exception> failureOfTheFunction_isPassedOn() {
        return List.of(
                new TimeoutException("of something else"),
                new InterruptedException("of something else"),
                new RejectedExecutionException("of something else"));
    }

    @ParameterizedTest
    @MethodSource
    void failureOfTheFunction_isPassedOn(Exception ofTheBody) {
        assertThatThrownBy(backend.transact(IdempotencyToken.random(), transaction -> {
                    throw ofTheBody;
                })::get)
                .cause()
                .isSameAs(ofTheBody);
        assertThat(fixture.faults().calls()).containsOnlyOnce("BeginTransaction");
    }

    @Test
    void errorOfTheFunction_isPassedOn() {
        Error ofTheBody = new AssertionError("of something else");
        assertThatThrownBy(backend.transact(IdempotencyToken.random(), transaction -> {
                    throw ofTheBody;
                })::get)
                .cause()
                .isSameAs(ofTheBody);
    }

    /** The store has applied the commit, and its reply arrives after the backend was closed. */
    @Test
    void closeDuringTheCommit_leavesTheOutcomeUnknown() {
        HeldReplies commits = new HeldReplies("Commit");
        IdempotencyToken token = IdempotencyToken.random();
        Firestore client = ClientRetries.NONE.connect(FirestoreFixture.emulator(), fixture.project(), commits);
        try {
            FirestoreCounterBackend closing = FirestoreCounterBackend.create(client);
            CompletableFuture<TransactionResult> transaction =
                    closing.transact(token, each -> each.append(name, Map.of()));
            await().until(() -> commits.count() > 0);
            closing.close();
            assertThatThrownBy(transaction::get)
                    .cause()
                    .isInstanceOfSatisfying(
                            OutcomeUnknownException.class,
                            unknown -> assertThat(unknown.token()).isEqualTo(token))
                    .hasMessageContaining("the backend was closed before Firestore answered");
        } finally {
            commits.release();
            client.shutdown();
        }
        assertThat(counters.resolve(token)).isEqualTo(new Resolution.Committed());
        assertThat(counters.sequence(name).last()).isEqualTo(1);
    }

    /** Before the first call, between two attempts, and between the calls of an attempt. */
    @ParameterizedTest
    @CsvSource({"BEFORE, 1", "LOST, 1", "ANSWERED, 2", "LOST, 2"})
    void closeBeforeTheCommit_appliesNothing(EndingCalls.Moment moment, int call) {
        EndingCalls calls = new EndingCalls();
        Firestore client = ClientRetries.NONE.connect(FirestoreFixture.emulator(), fixture.project(), calls);
        try {
            FirestoreCounterBackend closing = FirestoreCounterBackend.create(client);
            IdempotencyToken token = IdempotencyToken.random();
            calls.arm(call, moment, closing::close);
            assertThatThrownBy(closing.transact(token, each -> each.append(name, Map.of()))::get)
                    .cause()
                    .isInstanceOf(CounterException.class)
                    .hasMessageContaining("the backend was closed");
            assertThat(counters.sequence(name).last()).isZero();
        } finally {
            client.shutdown();
        }
    }

    /** The function still runs, and its transaction may be committed later. */
    @Test
    void closeDuringTheFunction_leavesTheOutcomeUnknown() throws InterruptedException {
        FirestoreCounterBackend closing = fixture.connect();
        IdempotencyToken token = IdempotencyToken.random();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CompletableFuture<TransactionResult> transaction = closing.transact(token, each -> {
            running.countDown();
            mayEnd.await();
        });
        try {
            running.await();
            closing.close();
            assertThatThrownBy(transaction::get).cause().isInstanceOf(OutcomeUnknownException.class);
        } finally {
            mayEnd.countDown();
        }
    }
}
