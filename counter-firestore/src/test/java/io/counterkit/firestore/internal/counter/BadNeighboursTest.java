package io.counterkit.firestore.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.SetOptions;
import io.counterkit.ContentionException;
import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Result;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a counter that cannot be changed fails alone, in a commit with others and in a read of several. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BadNeighboursTest {
    private static final Map<String, Object> NO_SEAL = Map.of("seal", Map.of("forward", "elsewhere", "total", "many"));

    private final String bad = TestStore.name();
    private final String good = TestStore.name();

    private static FirestoreCounterOptions.Builder options() {
        return FirestoreCounterOptions.builder().commitsInFlight(1).shards(1);
    }

    private static Call call() {
        return new Call(Duration.ofMinutes(1), CountersListener.disabled());
    }

    /** Adds 1 to each name, with the token or without one, so that one commit carries all adds. */
    private static List<CompletableFuture<Void>> addTogether(
            TestStore store, Counters counters, @Nullable IdempotencyToken token, List<String> names) {
        List<CompletableFuture<Void>> adds;
        CompletableFuture<Void> before;
        try (CallFault held = store.faults().inject(StoreFault.HOLD, 1)) {
            before = counters.counter(TestStore.name()).async().add(1);
            await().until(held::isHit);
            adds = names.stream()
                    .map(name -> token == null
                            ? counters.counter(name).async().add(1)
                            : counters.counter(name).async().add(1, token))
                    .toList();
        }
        before.join();
        return adds;
    }

    private static <T extends Exception> void assertFails(CompletableFuture<?> add, Class<T> type, String message) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(add::join)
                .havingCause()
                .isExactlyInstanceOf(type)
                .withMessageContaining(message);
    }

    @Test
    void nameInACollectionOfOtherData_failsAlone() {
        try (TestStore store = new TestStore(options().flatShards().build())) {
            List<CompletableFuture<Void>> adds =
                    addTogether(store, store.counters(), null, List.of(good, "counters", good + "/a/b"));
            assertFails(adds.get(1), NotAppliedException.class, "choose another name");
            adds.get(0).join();
            adds.get(2).join();
            assertThat(store.counters().counter(good).get()).isOne();
            assertThat(store.counters().counter(good + "/a/b").get()).isOne();
        }
    }

    @Test
    void nameInACollectionOfOtherData_failsAlone_afterItsDocumentWasRead() {
        try (TestStore store = new TestStore(options().flatShards().build())) {
            TestStore.await(store.counter("counters").set(Map.of("num_shards", 1L)));
            assertFails(store.backend().reshard("counters", 2), NotAppliedException.class, "choose another name");
            List<CompletableFuture<Void>> adds = addTogether(store, store.counters(), null, List.of(good, "counters"));
            assertFails(adds.get(1), NotAppliedException.class, "choose another name");
            adds.get(0).join();
            assertThat(store.counters().counter(good).get()).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void counterWithASealThatIsNone_failsAlone(WriteStrategy strategy) {
        try (TestStore store = new TestStore(options().writeStrategy(strategy).build())) {
            store.counters().counter(bad).add(5);
            TestStore.await(store.counter(bad).set(NO_SEAL, SetOptions.merge()));
            List<CompletableFuture<Void>> adds = addTogether(store, store.another(), null, List.of(bad, good));
            assertFails(adds.get(0), CorruptDataException.class, "holds no valid seal");
            adds.get(1).join();
            assertThat(store.counters().counter(good).get()).isOne();
            assertThat(store.counters().counter(bad).get()).isEqualTo(5);
            TestStore.await(store.counter(bad).set(Map.of("num_shards", 1L)));
            store.counters().counter(bad).add(1); // it is not remembered as bad
            assertThat(store.counters().counter(bad).get()).isEqualTo(6);
        }
    }

    /** The commit fails at the shard, and then the counter's document is found to be damaged. */
    @Test
    void damageThatIsFoundAfterAnAttempt_failsAlone_andNoAttemptIsAppliedLater() {
        try (TestStore store = new TestStore(options().build())) {
            store.counters().counter(bad).add(5);
            store.counters().counter(good).add(5);
            TestStore.await(store.shard(bad, 0).delete());
            TestStore.await(store.counter(bad).set(NO_SEAL, SetOptions.merge()));
            List<CompletableFuture<Void>> adds = addTogether(store, store.counters(), null, List.of(bad, good));
            assertFails(adds.get(0), CorruptDataException.class, "holds no valid seal");
            adds.get(1).join();
            assertThat(store.counters().counter(good).get()).isEqualTo(6);
            assertThat(store.shards(bad)).isEmpty();
        }
    }

    @Test
    void addWithATokenThatMayStillArrive_isUnknown() {
        try (TestStore store = new TestStore(options().build())) {
            store.counters().counter(bad).add(5);
            TestStore.await(store.shard(bad, 0).delete());
            TestStore.await(store.counter(bad).set(NO_SEAL, SetOptions.merge()));
            IdempotencyToken token = IdempotencyToken.of(bad);
            CompletableFuture<Void> add =
                    addTogether(store, store.counters(), token, List.of(bad)).get(0);
            assertFails(add, OutcomeUnknownException.class, "resolve the token");
            assertThat(store.counters().resolve(token)).isEqualTo(new Resolution.NotApplied());
        }
    }

    @Test
    void counterWhoseShardsHaveReachedTheirRate_failsAlone() {
        try (TestStore store = new TestStore(options().writesPerShard(0.001, 1).build());
                Counters counters = store.another(CountersOptions.builder()
                        .deadline(Duration.ofSeconds(10))
                        .build())) {
            IdempotencyToken token = IdempotencyToken.of(bad);
            counters.counter(bad).add(1, token);
            List<CompletableFuture<Void>> adds = addTogether(store, counters, null, List.of(bad, good));
            assertFails(adds.get(0), ContentionException.class, "rate of writes for longer than the deadline");
            adds.get(1).join();
            counters.counter(bad).add(1, token); // was applied before, so it need not wait
            assertThat(counters.counter(good).get()).isOne();
            assertThat(counters.counter(bad).get()).isOne();
        }
    }

    @Test
    void methodsOfTheBackend_failInTheirFutures() {
        try (TestStore store = new TestStore(options().flatShards().build())) {
            store.counters().counter(good).add(5);
            List<Result<Reading>> readings = store.backend()
                    .counters()
                    .read(List.of("counters", good), Duration.ZERO, call())
                    .join();
            assertThat(readings.get(0).failure()).isInstanceOf(NotAppliedException.class);
            assertThat(readings.get(1).orThrow().value()).isEqualTo(5);
            ImportedState base = new ImportedState("elsewhere", true, 5, 0);
            List<CompletableFuture<?>> futures = List.of(
                    store.backend().describe("counters"),
                    store.backend().create("counters", 1),
                    store.backend().migration().lateAdds(List.of("counters"), call()),
                    store.backend().migration().importBase(ChangeTarget.Kind.COUNTER, "counters", base, call()),
                    store.counters().counter("counters").async().get(),
                    store.counters().counter("counters").async().reset(),
                    store.counters().counter("counters").async().delete());
            futures.forEach(future -> assertFails(future, NotAppliedException.class, "choose another name"));
        }
    }
}
