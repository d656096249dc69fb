package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.counterkit.AsyncCounter;
import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the round trips of each operation without faults. */
class CallCountsTest {
    private static final String READ = "BatchGetDocuments";
    private static final String COMMIT = "Commit";
    private static final String SUM = "RunAggregationQuery";
    private static final String BEGIN = "BeginTransaction";
    private static final String QUERY = "RunQuery";

    private final TestStore store = new TestStore();
    private final String name = TestStore.name();
    private final Counter counter = store.counters().counter(name);
    private final Sequence sequence = store.counters().sequence(name);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void add_isOneCommitOnceTheCounterIsKnown() {
        assertThat(callsOf(() -> counter.add(1))).containsExactly(READ, COMMIT);
        assertThat(callsOf(() -> counter.add(1))).containsExactly(COMMIT);
        assertThat(callsOf(() -> counter.add(1, token()))).containsExactly(COMMIT);
        assertThat(callsOf(() -> store.another().counter(name).add(1))).containsExactly(READ, COMMIT);
    }

    @Test
    void addsThatWait_shareOneCommit() {
        try (TestStore oneAtATime = store.onTheSameDatabase(
                FirestoreCounterOptions.builder().commitsInFlight(1).build())) {
            Counter counted = oneAtATime.counters().counter(name);
            counted.add(1);
            int before = oneAtATime.faults().calls().size();
            List<CompletableFuture<Void>> adds = new ArrayList<>();
            try (CallFault held = oneAtATime.faults().inject(StoreFault.HOLD, 1)) {
                adds.add(counted.async().add(1));
                await().until(held::isHit);
                for (int i = 1; i < 1000; i++) {
                    adds.add(counted.async().add(1));
                }
            }
            adds.forEach(CompletableFuture::join);
            assertThat(oneAtATime.faults().calls().subList(before, before + 2)).containsExactly(COMMIT, COMMIT);
            assertThat(oneAtATime.faults().calls()).hasSize(before + 2);
        }
        assertThat(counter.get()).isEqualTo(1001);
    }

    @Test
    void addsWithTokensThatWait_shareCommitsOf250() {
        try (TestStore oneAtATime = store.onTheSameDatabase(
                FirestoreCounterOptions.builder().commitsInFlight(1).build())) {
            AsyncCounter counted = oneAtATime.counters().counter(name).async();
            counted.add(1).join();
            int before = oneAtATime.faults().calls().size();
            List<CompletableFuture<Void>> adds = new ArrayList<>();
            try (CallFault held = oneAtATime.faults().inject(StoreFault.HOLD, 1)) {
                adds.add(counted.add(1));
                await().until(held::isHit);
                for (int i = 0; i < 1000; i++) {
                    adds.add(counted.add(1, token()));
                }
            }
            adds.forEach(CompletableFuture::join);
            List<String> calls = oneAtATime.faults().calls();
            assertThat(calls.subList(before + 1, calls.size()))
                    .containsOnly(COMMIT)
                    .hasSize(4);
        }
        assertThat(counter.get()).isEqualTo(1002);
    }

    @Test
    void addRepeatedWithItsToken_readsTheTokenDocument() {
        IdempotencyToken token = token();
        counter.add(1, token);
        assertThat(callsOf(() -> counter.add(1, token))).containsExactly(COMMIT, READ);
    }

    @Test
    void addByTransaction_isThreeRoundTrips() {
        try (TestStore slow = store.onTheSameDatabase(FirestoreCounterOptions.builder()
                .writeStrategy(WriteStrategy.TRANSACTION)
                .build())) {
            Counter counted = slow.counters().counter(name);
            counted.add(1);
            int before = slow.faults().calls().size();
            counted.add(1);
            assertThat(slow.faults()
                            .calls()
                            .subList(before, slow.faults().calls().size()))
                    .containsExactly(BEGIN, READ, COMMIT);
        }
    }

    @Test
    void get_isOneSum() {
        assertThat(callsOf(counter::get)).containsExactly(SUM);
        store.backend().create(name, 1000).join();
        assertThat(callsOf(counter::get)).containsExactly(SUM);
        assertThat(callsOf(() -> counter.read(Duration.ofHours(1))))
                .as("seen by this process")
                .isEmpty();
        assertThat(callsOf(() -> store.counters().readAll(List.of(name, name + "-2"), Duration.ZERO)))
                .containsExactly(SUM, SUM);
    }

    @Test
    void resetAndDelete_areOneTransaction() {
        counter.add(5);
        assertThat(callsOf(counter::reset)).containsExactly(BEGIN, SUM, COMMIT);
        assertThat(callsOf(counter::delete)).containsExactly(BEGIN, READ, QUERY, COMMIT);
        assertThat(callsOf(counter::reset)).containsExactly(BEGIN, SUM, COMMIT);
    }

    @Test
    void createAndDescribe() {
        assertThat(callsOf(() -> store.backend().create(name, 1000).join())).containsExactly(BEGIN, READ, COMMIT);
        assertThat(callsOf(() -> store.backend().describe(name).join())).containsExactlyInAnyOrder(READ, QUERY);
    }

    @Test
    void append_isOneCommitOnceTheTailIsKnown() {
        assertThat(callsOf(() -> sequence.append(Map.of()))).containsExactly(READ, COMMIT);
        assertThat(callsOf(() -> sequence.append(Map.of("a", 1L)))).containsExactly(COMMIT);
        assertThat(callsOf(() -> sequence.append(Map.of(), token()))).containsExactly(COMMIT);
        assertThat(callsOf(() -> sequence.append(Change.ADDED, "subject", Map.of())))
                .containsExactly(READ, COMMIT);
    }

    @Test
    void appendAfterAnotherProcess_findsTheTailOnce() {
        sequence.append(Map.of());
        store.another().sequence(name).append(Map.of());
        assertThat(callsOf(() -> sequence.append(Map.of()))).containsExactly(COMMIT, READ, READ, COMMIT);
    }

    @Test
    void tailOfAThousandEntries_isFoundInFiveRoundTrips() {
        List<CompletableFuture<?>> appends = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            appends.add(sequence.async().append(Map.of()));
        }
        appends.forEach(CompletableFuture::join);
        Sequence cold = store.another().sequence(name);
        List<String> calls = callsOf(cold::tail);
        assertThat(calls).containsOnly(READ).hasSizeLessThanOrEqualTo(5);
        System.out.println("CallCountsTest: cold end of 1,000 entries in " + calls.size() + " round trips");
        assertThat(callsOf(cold::tail)).containsExactly(READ);
        assertThat(callsOf(() -> cold.read(1, 1000)))
                .as("below the end that was seen")
                .containsExactly(READ);
        assertThat(callsOf(() -> cold.read(901, 1100))).as("beyond it").containsExactly(READ, READ);
    }

    @Test
    void eraseAndSeal() {
        sequence.append(Map.of("a", 1L));
        assertThat(callsOf(() -> sequence.erase(1))).containsExactly(READ, COMMIT);
        assertThat(callsOf(() -> sequence.seal("elsewhere"))).containsExactly(READ, COMMIT);
        assertThat(callsOf(sequence::tail)).as("a seal is final").isEmpty();
    }

    @Test
    void resolve_isOneCommitOrOneMoreRead() {
        IdempotencyToken used = token();
        counter.add(1, used);
        assertThat(callsOf(() -> store.counters().resolve(token()))).containsExactly(COMMIT);
        assertThat(callsOf(() -> store.counters().resolve(used))).containsExactly(COMMIT, READ);
    }

    @Test
    void pageOfNames_isOneQuery() {
        counter.add(1);
        sequence.append(Map.of());
        assertThat(callsOf(() -> store.counters().counterNames(name))).containsExactly(QUERY);
        assertThat(callsOf(() -> store.counters().sequenceNames(name))).containsExactly(QUERY);
    }

    @Test
    void transaction_readsTheTokenFirst() {
        counter.add(1);
        assertThat(callsOf(() -> store.backend()
                        .transact(token(), transaction -> transaction.add(name, 1))
                        .join()))
                .containsExactly(BEGIN, READ, COMMIT);
    }

    @Test
    void commit_hasAtMostItsWeight() {
        assertThat(store.backend().counters().limits().maxWeight()).isEqualTo(500);
        assertThat(store.backend().sequences().limits().maxWeight()).isEqualTo(1000);
        AddRequest add = new AddRequest(name, 1, null);
        AddRequest withToken = new AddRequest(name, 1, IdempotencyToken.random());
        assertThat(store.backend().counters().weight(add)).isEqualTo(1);
        assertThat(store.backend().counters().weight(withToken)).isEqualTo(2);
    }

    @Test
    void create_sendsNothing() {
        assertThat(callsOf(() -> store.another().counter(name).name())).isEmpty();
    }

    /** Tests that a call fails at its deadline while the store holds it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void heldCall_failsAtTheDeadlineOfTheCaller(int call) {
        Map<String, BiConsumer<Counters, String>> operations = new HashMap<>();
        operations.put("add", (counters, of) -> counters.counter(of).add(1));
        operations.put("get", (counters, of) -> counters.counter(of).get());
        operations.put("reset", (counters, of) -> counters.counter(of).reset());
        operations.put("delete", (counters, of) -> counters.counter(of).delete());
        operations.put("append", (counters, of) -> counters.sequence(of).append(Map.of()));
        operations.put("tail", (counters, of) -> counters.sequence(of).tail());
        operations.put("seal", (counters, of) -> counters.sequence(of).seal("elsewhere"));
        operations.put("names", (counters, of) -> counters.counterNames(of));
        operations.forEach((operation, body) -> {
            if (call == 1 || !List.of("get", "tail", "names").contains(operation)) {
                untilHit(deadline -> {
                    String held = TestStore.name();
                    counterAndSequence(held);
                    CountersOptions hasty =
                            CountersOptions.builder().deadline(deadline).build();
                    try (Counters counters = store.another(hasty);
                            CallFault fault = store.faults().inject(StoreFault.HOLD, call)) {
                        assertThatExceptionOfType(CounterException.class)
                                .as(operation)
                                .isThrownBy(() -> body.accept(counters, held));
                        return fault.isHit();
                    }
                });
            }
        });
    }

    /** Tries longer deadlines, since on a busy machine the held call may come too late. */
    private static void untilHit(Predicate<Duration> attempt) {
        Duration deadline = Duration.ofMillis(300);
        while (!attempt.test(deadline)) {
            deadline = deadline.multipliedBy(2);
        }
    }

    /** The methods that only this backend has, which have a deadline of their own. */
    @ParameterizedTest
    @EnumSource(OwnMethod.class)
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void heldCall_failsAtTheDeadlineOfTheBackend(OwnMethod method) {
        for (int call = 1; call <= method.calls; call++) {
            int held = call;
            untilHit(deadline -> {
                try (TestStore hasty = store.onTheSameDatabase(FirestoreCounterOptions.builder()
                                .deadline(deadline)
                                .build());
                        CallFault fault = hasty.faults().inject(StoreFault.HOLD, held)) {
                    CompletableFuture<?> answer = method.call(hasty.backend(), TestStore.name());
                    assertThatExceptionOfType(CompletionException.class)
                            .as("call %s", held)
                            .isThrownBy(answer::join)
                            .withCauseInstanceOf(CounterException.class);
                    return fault.isHit();
                }
            });
        }
    }

    enum OwnMethod {
        CREATE(3),
        DESCRIBE(2),
        TRANSACT(4);

        private final int calls;

        OwnMethod(int calls) {
            this.calls = calls;
        }

        CompletableFuture<?> call(FirestoreCounterBackend backend, String held) {
            return switch (this) {
                case CREATE -> backend.create(held, 3);
                case DESCRIBE -> backend.describe(held);
                case TRANSACT -> backend.transact(token(), transaction -> transaction.add(held, 1));
            };
        }
    }

    private void counterAndSequence(String both) {
        store.counters().counter(both).add(1);
        store.counters().sequence(both).append(Map.of());
    }

    private static IdempotencyToken token() {
        return IdempotencyToken.of(TestStore.name());
    }

    @Test
    void reshard_isThreeRoundTripsAndThreeForEach20ShardsThatAreEmptied() {
        counter.add(1);
        assertThat(callsOf(() -> store.backend().reshard(name, 46).join())).containsExactly(READ, QUERY, COMMIT);
        for (int shard = 0; shard < 46; shard++) {
            TestStore.await(store.shard(name, shard).update("count", 7));
        }
        assertThat(callsOf(() -> store.backend().reshard(name, 5).join()))
                .containsExactly(READ, QUERY, COMMIT, BEGIN, READ, COMMIT, BEGIN, READ, COMMIT, BEGIN, READ, COMMIT);
        assertThat(counter.get()).isEqualTo(46 * 7);
    }

    private List<String> callsOf(Runnable operation) {
        int before = store.faults().calls().size();
        operation.run();
        List<String> calls = store.faults().calls();
        return calls.subList(before, calls.size());
    }
}
