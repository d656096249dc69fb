package io.counterkit.firestore.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.firestore.FieldValue;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.tck.StoreFault;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the creation of counters and shards: explicit, by adds, and after a delete. */
class CounterCreationTest {
    private final TestStore store = new TestStore();
    private final String name = TestStore.name();
    private final Counter counter = store.counters().counter(name);

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 1000})
    void create_createsAllShardsWithZero(int shards) {
        store.backend().create(name, shards).join();
        assertThat(store.data(store.counter(name))).isEqualTo(Map.of("num_shards", (long) shards));
        assertThat(store.shards(name)).hasSize(shards).containsKey(String.valueOf(shards - 1));
        assertThat(store.shards(name).values()).containsOnly(Map.of("count", 0L));
        assertThat(counter.get()).isZero();
        assertThat(store.counters().counterNames(name).names()).containsExactly(name);
        counter.add(4);
        assertThat(counter.get()).isEqualTo(4);
        assertThat(store.shards(name)).hasSize(shards);
    }

    @Test
    void createWithAnotherCount_isReportedAndChangesNothing() {
        store.backend().create(name, 3).join();
        counter.add(5);
        Map<String, Map<String, Object>> before = store.shards(name);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> store.anotherBackend().create(name, 4).join())
                .havingCause()
                .isExactlyInstanceOf(NotAppliedException.class)
                .withMessageContainingAll("'" + name + "'", "4 shards", "it has 3 already");
        assertThat(store.data(store.counter(name))).isEqualTo(Map.of("num_shards", 3L));
        assertThat(store.shards(name)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"num_shards", "numShards"})
    void createAgain_createsMissingShardsAndResetsNone(String field) {
        TestStore.await(store.counter(name).set(Map.of(field, 4L, "title", "mine")));
        TestStore.await(store.shard(name, 1).set(Map.of("count", 7L, "note", "seeded by hand")));
        store.backend().create(name, 4).join();
        assertThat(store.data(store.counter(name))).isEqualTo(Map.of(field, 4L, "title", "mine"));
        assertThat(store.shards(name))
                .isEqualTo(Map.of(
                        "0",
                        Map.of("count", 0L),
                        "1",
                        Map.of("count", 7L, "note", "seeded by hand"),
                        "2",
                        Map.of("count", 0L),
                        "3",
                        Map.of("count", 0L)));
        assertThat(counter.get()).isEqualTo(7);
    }

    @Test
    void createOnADocumentWithoutACount_addsTheCountAndKeepsTheRest() {
        TestStore.await(store.counter(name).set(Map.of("title", "mine")));
        store.backend().create(name, 2).join();
        assertThat(store.data(store.counter(name))).isEqualTo(Map.of("title", "mine", "num_shards", 2L));
        assertThat(store.shards(name)).hasSize(2);
    }

    @Test
    void firstAdd_setsTheShardCount() {
        counter.add(1);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> store.backend().create(name, 11).join())
                .withMessageContaining("it has 10 already");
        store.backend().create(name, 10).join();
        assertThat(counter.get()).isOne();
    }

    @Test
    void concurrentCreations_oneWinsAsAWhole() {
        FirestoreCounterBackend other = store.anotherBackend();
        for (int round = 0; round < 4; round++) {
            String both = TestStore.name();
            List<CompletableFuture<Void>> creations = List.of(store.backend().create(both, 3), other.create(both, 5));
            List<Long> outcomes = creations.stream()
                    .map(creation -> creation.handle((done, failure) -> failure == null ? 1L : 0L)
                            .join())
                    .toList();
            assertThat(outcomes).containsExactlyInAnyOrder(1L, 0L);
            long winner = outcomes.get(0) == 1 ? 3 : 5;
            assertThat(store.data(store.counter(both))).isEqualTo(Map.of("num_shards", winner));
            assertThat(store.shards(both)).hasSize((int) winner);
        }
    }

    @Test
    void concurrentCreationAndFirstAdd_keepsTheAdd() {
        Counters other = store.another();
        for (int round = 0; round < 10; round++) {
            String both = TestStore.name();
            CompletableFuture<Void> creation = store.backend().create(both, 20);
            other.counter(both).add(3);
            long expected = creation.handle((done, failure) -> failure == null ? 20L : 10L)
                    .join();
            assertThat(store.data(store.counter(both))).isEqualTo(Map.of("num_shards", expected));
            assertThat(store.shards(both)).hasSize((int) expected);
            assertThat(other.counter(both).get()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL_BEFORE", "LOSE_REPLY"})
    void create_isRetriedAfterAFaultInEachCall(StoreFault kind) {
        for (int call = 1; ; call++) {
            String faulty = TestStore.name();
            try (CallFault fault = store.faults().inject(kind, call)) {
                store.backend().create(faulty, 3).join();
                assertThat(store.shards(faulty)).as("call %s", call).hasSize(3);
                assertThat(store.data(store.counter(faulty))).isEqualTo(Map.of("num_shards", 3L));
                if (!fault.isHit()) {
                    assertThat(call).as("calls that were disturbed").isGreaterThan(3);
                    return;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1001})
    void create_refusesNumbersOutOfBounds(int shards) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.backend().create(name, shards))
                .withMessageContainingAll(String.valueOf(shards), "1 to 1000");
        assertThatIllegalArgumentException().isThrownBy(() -> store.backend().create("", 1));
        assertThat(store.data(store.counter(name))).isNull();
    }

    @ParameterizedTest
    @EnumSource(WriteStrategy.class)
    void addAfterAnotherProcessDeletedTheCounter_createsItAgain(WriteStrategy strategy) {
        try (TestStore warm = store.onTheSameDatabase(
                FirestoreCounterOptions.builder().writeStrategy(strategy).build())) {
            Counter remembered = warm.counters().counter(name);
            remembered.add(8);
            counter.delete();
            assertThat(store.counters().counterNames(name).names()).isEmpty();
            assertThat(store.shards(name)).isEmpty();
            remembered.add(3);
            assertThat(counter.get()).isEqualTo(3);
            assertThat(store.counters().counterNames(name).names()).containsExactly(name);
            assertThat(store.data(store.counter(name))).isEqualTo(Map.of("num_shards", 10L));
            assertThat(store.shards(name)).hasSize(10);
        }
    }

    @Test
    void addAfterAnotherProcessRecreatedItWithFewerShards_isNotLost() {
        counter.add(8);
        FirestoreCounterBackend other = store.anotherBackend();
        Counters.over(other).counter(name).delete();
        other.create(name, 1).join();
        for (int i = 0; i < 20; i++) {
            counter.add(1);
        }
        assertThat(counter.get()).isEqualTo(20);
        assertThat(store.data(store.counter(name))).isEqualTo(Map.of("num_shards", 1L));
    }

    @Test
    void reset_createsNoShard() {
        store.backend().create(name, 1).join();
        for (int i = 0; i < 20; i++) {
            counter.add(1);
            counter.reset();
        }
        assertThat(counter.get()).isZero();
        assertThat(store.shards(name)).containsOnlyKeys("0");
    }

    @Test
    void addToAMissingShard_createsItAndKeepsTheOthers() {
        store.backend().create(name, 2).join();
        TestStore.await(store.shard(name, 0).update("count", FieldValue.increment(10)));
        TestStore.await(store.shard(name, 1).delete());
        for (int i = 0; i < 20; i++) {
            counter.add(1);
        }
        assertThat(counter.get()).isEqualTo(30);
        assertThat(store.shards(name).keySet()).containsExactly("0", "1");
    }
}
