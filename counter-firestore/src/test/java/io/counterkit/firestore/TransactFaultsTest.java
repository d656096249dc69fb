package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.TransactionResult;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a transaction is applied once if calls fail or lose their replies, and among others. */
@Tag("exhaustive")
class TransactFaultsTest extends TransactSetup {
    /** The calls: begin, read the token, find the tail, read the shard count, commit. */
    private static final int CALLS_UNTIL_COMMIT = 5;

    @ParameterizedTest
    @MethodSource("lostReplies")
    void lostReplyOfTheCommit_doesNotRepeatIt(FirestoreFixture.ClientRetries retries, Status.Code code) {
        try (TestStore disturbed = store.onTheSameDatabase(FirestoreCounterOptions.defaults(), retries)) {
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
            try (TestStore disturbed = store.onTheSameDatabase(
                            FirestoreCounterOptions.defaults(), FirestoreFixture.ClientRetries.NONE);
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
}
