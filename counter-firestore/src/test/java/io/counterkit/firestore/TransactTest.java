package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.firestore.DocumentReference;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Outcome;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.TransactionResult;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests transactions of the application: documents, adds and appends together, once for each token. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TransactTest {
    /** The calls: begin, read the token, find the tail, read the shard count, commit. */
    private static final int CALLS_UNTIL_COMMIT = 5;

    private final TestStore store = new TestStore();
    private final FirestoreCounterBackend backend = store.backend();
    private final String name = TestStore.name();
    private final Counter counter = store.counters().counter(name);
    private final Sequence sequence = store.counters().sequence(name);
    private final DocumentReference document = store.raw().document("orders/" + name);
    private final IdempotencyToken token = IdempotencyToken.of(TestStore.name());
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        store.close();
    }

    /** Writes one of each, and the numbers of the entries to the document. */
    private void work(FirestoreTransaction transaction) {
        runs.incrementAndGet();
        transaction.add(name, 2);
        transaction.add(name, 3);
        long first = transaction.append(name, Map.of("a", 1L));
        long second = transaction.append(name, Map.of("a", 2L));
        transaction.transaction().set(document, Map.of("first", first, "second", second, "total", 5L));
    }

    private void assertDoneOnce() {
        assertThat(counter.get()).isEqualTo(5);
        assertThat(sequence.read(1, 10).stream().map(Entry::fields)).containsExactly(Map.of("a", 1L), Map.of("a", 2L));
        assertThat(store.data(document)).isEqualTo(Map.of("first", 1L, "second", 2L, "total", 5L));
    }

    private void assertNothingDone() {
        assertThat(counter.get()).isZero();
        assertThat(store.counters().counterNames(name).names()).isEmpty();
        assertThat(sequence.last()).isZero();
        assertThat(store.counters().sequenceNames(name).names()).isEmpty();
        assertThat(store.data(document)).isNull();
        assertThat(store.counters().resolve(token)).isEqualTo(new Resolution.NotApplied());
    }

    @Test
    void documentsAddsAndAppends_areAppliedTogether() {
        TransactionResult transacted = backend.transact(token, this::work).join();
        assertThat(transacted).isEqualTo(new TransactionResult(List.of(1L, 2L), false));
        assertDoneOnce();
        assertThat(store.counters().resolve(token).applied()).isTrue();
    }

    @Test
    void repetitionWithTheToken_returnsTheSameNumbersAndRunsNothing() {
        backend.transact(token, this::work).join();
        assertThat(backend.transact(token, this::work).join()).isEqualTo(new TransactionResult(List.of(1L, 2L), true));
        assertThat(store.anotherBackend().transact(token, this::work).join().numbers())
                .containsExactly(1L, 2L);
        assertThat(runs).hasValue(1);
        assertDoneOnce();
    }

    @Test
    void functionThatReads_readsStoredDocuments() {
        DocumentReference stock = store.client().document(document.getPath());
        TestStore.await(document.set(Map.of("left", 3L)));
        for (int i = 0; i < 5; i++) {
            backend.transact(IdempotencyToken.of(TestStore.name()), transaction -> {
                        long left = Objects.requireNonNull(
                                transaction.transaction().get(stock).get().getLong("left"));
                        if (left > 0) {
                            transaction.transaction().update(stock, "left", left - 1);
                            transaction.add(name, 1);
                        }
                    })
                    .join();
        }
        assertThat(store.data(document)).isEqualTo(Map.of("left", 0L));
        assertThat(counter.get()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void functionThatThrows_changesNothing(Exception failure) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, transaction -> {
                            work(transaction);
                            throw failure;
                        })
                        .join())
                .havingCause()
                .isSameAs(failure);
        assertThat(runs).hasValue(1);
        assertNothingDone();
    }

    static Stream<Exception> failures() {
        return Stream.of(
                new IOException("sold out"),
                new IllegalStateException("sold out"),
                new NotAppliedException("sold out"));
    }

    @ParameterizedTest
    @MethodSource("lostReplies")
    void lostReplyOfTheCommit_doesNotRepeatIt(FirestoreFixture.ClientRetries retries, Status.Code code) {
        try (TestStore disturbed = new TestStore(FirestoreCounterOptions.defaults(), retries)) {
            try (CallFault fault = disturbed.faults().inject(StoreFault.LOSE_REPLY, CALLS_UNTIL_COMMIT, code)) {
                CompletableFuture<TransactionResult> answer =
                        disturbed.backend().transact(token, this::work);
                TransactionResult transacted;
                try {
                    transacted = answer.join();
                } catch (CompletionException e) {
                    // Some codes forbid a retry; then the token decides.
                    assertThat(e.getCause())
                            .isInstanceOfSatisfying(
                                    OutcomeUnknownException.class,
                                    unknown -> assertThat(unknown.token()).isEqualTo(token));
                    transacted = disturbed.backend().transact(token, this::work).join();
                }
                assertThat(transacted).isEqualTo(new TransactionResult(List.of(1L, 2L), true));
                assertThat(fault.isHit()).isTrue();
                assertThat(disturbed.faults().calls().get(CALLS_UNTIL_COMMIT - 1))
                        .isEqualTo("Commit");
            }
        }
        assertDoneOnce();
    }

    static Stream<Arguments> lostReplies() {
        return Stream.of(FirestoreFixture.ClientRetries.values())
                .flatMap(retries -> Stream.of(Status.Code.values())
                        .filter(code -> code != Status.Code.OK)
                        .map(code -> Arguments.of(retries, code)));
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL_BEFORE", "LOSE_REPLY"})
    void faultInEachCall_isRetriedOrChangesNothing(StoreFault kind) {
        for (int call = 1; ; call++) {
            String each = TestStore.name();
            IdempotencyToken once = IdempotencyToken.of(each);
            TransactionFunction body = transaction -> {
                transaction.add(each, 1);
                transaction.append(each, Map.of());
            };
            try (TestStore disturbed =
                            new TestStore(FirestoreCounterOptions.defaults(), FirestoreFixture.ClientRetries.NONE);
                    CallFault fault = disturbed.faults().inject(kind, call)) {
                TransactionResult transacted;
                try {
                    transacted = disturbed.backend().transact(once, body).join();
                } catch (CompletionException e) {
                    transacted = disturbed.backend().transact(once, body).join();
                }
                assertThat(transacted.numbers()).as("call %s", call).containsExactly(1L);
                assertThat(store.counters().counter(each).get()).isEqualTo(1);
                assertThat(store.counters().sequence(each).last()).isEqualTo(1);
                if (!fault.isHit()) {
                    assertThat(call).isGreaterThan(5);
                    return;
                }
            }
        }
    }

    @Test
    void concurrentTransactions_areExact() throws Exception {
        int threads = 8;
        int each = 10;
        AtomicInteger failures = new AtomicInteger();
        List<FirestoreCounterBackend> backends = List.of(backend, store.anotherBackend());
        List<Thread> workers = Stream.iterate(0, i -> i + 1)
                .limit(threads)
                .map(i -> new Thread(() -> {
                    for (int j = 0; j < each; j++) {
                        if (!transactUntilApplied(backends.get(i % 2), i + "-" + j, failures)) {
                            return;
                        }
                    }
                }))
                .toList();
        workers.forEach(Thread::start);
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(failures).as("transactions given up").hasValue(0);
        assertThat(counter.get()).isEqualTo((long) threads * each);
        List<Entry> entries = sequence.read(1, 1000);
        assertThat(entries).hasSize(threads * each);
        assertThat(entries.stream().map(entry -> entry.fields().get("of")).distinct())
                .hasSize(threads * each);
    }

    @Test
    void appendOvertakenManyTimes_isAppliedInTheEnd() {
        int others = 15;
        AtomicInteger attempts = new AtomicInteger();
        TransactionResult transacted = backend.transact(token, transaction -> {
                    transaction.append(name, Map.of());
                    if (attempts.incrementAndGet() <= others) {
                        sequence.next();
                    }
                })
                .join();
        assertThat(transacted.numbers()).containsExactly(others + 1L);
        assertThat(attempts).hasValue(others + 1);
    }

    private boolean transactUntilApplied(FirestoreCounterBackend through, String of, AtomicInteger failures) {
        try {
            through.transact(IdempotencyToken.of(name + of), transaction -> {
                        transaction.add(name, 1);
                        transaction.append(name, Map.of("of", of));
                    })
                    .join();
            return true;
        } catch (CompletionException e) {
            failures.incrementAndGet();
            return false;
        }
    }

    @Test
    void tokenOfSomethingElse_isRefused() {
        counter.add(1, token);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, this::work).join())
                .withCauseInstanceOf(TokenRefusedException.class)
                .withMessageContaining(token.value());
        IdempotencyToken resolved = IdempotencyToken.of(TestStore.name());
        store.counters().resolve(resolved);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(resolved, this::work).join())
                .withCauseInstanceOf(TokenRefusedException.class);
        assertThat(runs).hasValue(0);
        assertThat(counter.get()).isOne();

        IdempotencyToken mine = IdempotencyToken.of(TestStore.name());
        backend.transact(mine, transaction -> {}).join();
        assertThatExceptionOfType(TokenRefusedException.class).isThrownBy(() -> counter.add(1, mine));
        assertThatExceptionOfType(TokenRefusedException.class).isThrownBy(() -> sequence.append(Map.of(), mine));
    }

    @Test
    void tokenOfCounterKitsOwn_isRefusedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> backend.transact(IdempotencyToken.of("~ck:x"), this::work))
                .withMessageContaining("~ck:");
    }

    @Test
    void subjects_areJudgedAfterWhatTheTransactionDidBefore() {
        TransactionResult transacted = backend.transact(token, transaction -> {
                    transaction.append(name, Change.ADDED, "a", Map.of());
                    transaction.append(name, Change.UPDATED, "a", Map.of());
                    transaction.append(name, Change.ADDED, "b", Map.of());
                    transaction.append(name, Change.REMOVED, "a", Map.of());
                })
                .join();
        assertThat(transacted.numbers()).containsExactly(1L, 2L, 3L, 4L);
        assertThat(sequence.liveCount()).isOne();
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> sequence.append(Change.UPDATED, "a", Map.of()));
        sequence.append(Change.UPDATED, "b", Map.of());
    }

    @Test
    void changeThatDoesNotFit_leavesNoTrace() {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, transaction -> {
                            work(transaction);
                            transaction.append(name, Change.UPDATED, "a", Map.of());
                        })
                        .join())
                .withCauseInstanceOf(ChangeRefusedException.class);
        assertNothingDone();
    }

    @Test
    void sealedSequence_isNotAppendedTo() {
        sequence.seal("elsewhere");
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, this::work).join())
                .withCauseInstanceOf(SealedException.class);
        assertThat(counter.get()).isZero();
        assertThat(store.data(document)).isNull();
    }

    @Test
    void documentThatIsThereAlready_isReportedAsNotApplied() {
        TestStore.await(document.set(Map.of("foreign", "field")));
        assertNotApplied(transaction -> {
            runs.incrementAndGet();
            transaction.add(name, 1);
            transaction.append(name, Map.of());
            transaction.transaction().create(document, Map.of());
        });
        assertThat(store.data(document)).isEqualTo(Map.of("foreign", "field"));
        TestStore.await(document.delete());
        assertNothingDone();
    }

    @Test
    void documentThatIsNotThere_isReportedAsNotApplied() {
        assertNotApplied(transaction -> {
            work(transaction);
            transaction.transaction().update(store.raw().document("orders/not-" + name), "a", 1L);
        });
        assertNothingDone();
    }

    @Test
    void writeThatTheStoreRefuses_isReportedAsNotApplied() {
        assertNotApplied(transaction -> {
            work(transaction);
            transaction.transaction().create(document, Map.of("written", "twice"));
        });
        assertNothingDone();
    }

    private void assertNotApplied(TransactionFunction body) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, body).join())
                .havingCause()
                .isInstanceOfSatisfying(
                        NotAppliedException.class,
                        failure -> assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED));
        assertThat(runs.get()).as("runs of the body").isBetween(1, 20);
    }

    @Test
    void addAfterAnotherProcessDeletedTheCounter_makesItAgain() {
        counter.add(1);
        store.another().counter(name).delete();
        backend.transact(token, transaction -> transaction.add(name, 4)).join();
        assertThat(counter.get()).isEqualTo(4);
        assertThat(store.counters().counterNames(name).names()).containsExactly(name);
    }

    @Test
    void argumentsThatAreNone_areRefusedInTheBody() {
        assertRefused(transaction -> transaction.add("", 1));
        assertRefused(transaction -> transaction.add(name, (1L << 53) + 1));
        assertRefused(transaction -> {
            transaction.add(name, 1L << 53);
            transaction.add(name, 1);
        });
        assertRefused(transaction -> transaction.append(name, Map.of("list", List.of())));
        assertRefused(transaction -> transaction.append(name, Change.REMOVED, null, Map.of()));
        assertNothingDone();
    }

    private void assertRefused(TransactionFunction body) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, body).join())
                .withCauseInstanceOf(IllegalArgumentException.class);
    }
}
