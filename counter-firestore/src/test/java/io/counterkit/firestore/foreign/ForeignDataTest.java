package io.counterkit.firestore.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CorruptDataException;
import io.counterkit.Counter;
import io.counterkit.CounterOverflowException;
import io.counterkit.NamePage;
import io.counterkit.firestore.CounterActivity;
import io.counterkit.firestore.CounterDescription;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.ShardAdvice;
import io.counterkit.firestore.fixture.TestStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests foreign data in the documents or beside them. */
class ForeignDataTest {
    private final TestStore store = new TestStore();
    private final String name = TestStore.name();
    private final Counter counter = store.counters().counter(name);

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.5, 42.0, Double.NaN, Double.POSITIVE_INFINITY})
    void shardWithADouble_failsReadsUntilReset(double count) {
        make(5L, count);
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(counter::get)
                .withMessageContainingAll("shard 1", name, String.valueOf(count), "reset");
        assertThat(unsound()).containsExactly("1=" + count);
        counter.reset();
        assertThat(counter.get()).isZero();
        counter.add(2);
        assertThat(counter.get()).isEqualTo(2);
        assertThat(unsound()).isEmpty();
    }

    /** The store's sum skips non-numbers silently; {@code describe} reports them. */
    @ParameterizedTest
    @MethodSource("noNumbers")
    void shardWithoutANumber_isReportedByDescribeOnly(@Nullable Object count) {
        make(5L, count);
        assertThat(counter.get()).isEqualTo(5);
        assertThat(unsound()).containsExactly("1=" + count);
    }

    static List<@Nullable Object> noNumbers() {
        List<@Nullable Object> values = new ArrayList<>(List.of("12", true, List.of(1L), Map.of("n", 1L)));
        values.add(null);
        return values;
    }

    @Test
    void shardWithoutTheField_isReportedByDescribe() {
        TestStore.await(store.counter(name).set(Map.of("num_shards", 2L)));
        TestStore.await(store.shard(name, 0).set(Map.of("count", 5L)));
        TestStore.await(store.shard(name, 1).set(Map.of("Count", 6L)));
        assertThat(counter.get()).isEqualTo(5);
        assertThat(unsound()).containsExactly("1=null");
    }

    @Test
    void totalBeyondTheBound_failsReadsWithTheTotal() {
        make(1L << 62, 1L);
        assertThatExceptionOfType(CounterOverflowException.class)
                .isThrownBy(counter::get)
                .withMessageContainingAll(name, "4611686018427387905", "reset");
        counter.reset();
        assertThat(counter.get()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE})
    void shardAtTheEndOfItsRange_failsReads(long count) {
        make(count, 0L);
        assertThatExceptionOfType(CounterOverflowException.class)
                .isThrownBy(counter::get)
                .withMessageContainingAll(name, String.valueOf(count));
        counter.reset();
        assertThat(counter.get()).isZero();
    }

    @Test
    void sumBeyond64Bits_failsReadsWithTheSum() {
        make(Long.MAX_VALUE, Long.MAX_VALUE);
        assertThatExceptionOfType(CounterOverflowException.class)
                .isThrownBy(counter::get)
                .withMessageContaining("18446744073709551614");
        counter.reset();
        assertThat(counter.get()).isZero();
    }

    @Test
    void foreignShards_areSummedAndDescribed() {
        make(5L, 6L);
        TestStore.await(
                store.counter(name).collection("shards").document("mine").set(Map.of("count", 100L)));
        assertThat(counter.get()).isEqualTo(111);
        CounterDescription description = store.backend().describe(name).join();
        assertThat(description.shards().stream().map(CounterDescription.Shard::id))
                .containsExactly("0", "1", "mine");
        counter.reset();
        assertThat(counter.get()).isZero();
        counter.delete();
        assertThat(store.shards(name)).isEmpty();
    }

    @Test
    void describe_returnsTheShareOfEachShard() {
        make(6L, -2L, 0L, "text");
        CounterDescription description = store.backend().describe(name).join();
        assertThat(description.name()).isEqualTo(name);
        assertThat(description.isThere()).isTrue();
        assertThat(description.shardCount()).isEqualTo(4);
        assertThat(description.shards())
                .containsExactly(
                        new CounterDescription.Shard("0", 6L, 0.75),
                        new CounterDescription.Shard("1", -2L, 0.25),
                        new CounterDescription.Shard("2", 0L, 0),
                        new CounterDescription.Shard("3", "text", 0));
    }

    @Test
    void describe_ordersShardsByNumber() {
        store.backend().create(name, 12).join();
        assertThat(store.backend().describe(name).join().shards().stream().map(CounterDescription.Shard::id))
                .containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11");
    }

    @Test
    void describe_absentCounter() {
        assertThat(store.backend().describe(name).join())
                .isEqualTo(new CounterDescription(
                        name,
                        false,
                        null,
                        List.of(),
                        null,
                        0,
                        new CounterActivity(0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO),
                        new ShardAdvice(10, "almost nothing was added lately; keep the shards")));
        assertThat(counter.get()).isZero();
    }

    @ParameterizedTest
    @MethodSource("shardCounts")
    void invalidShardCount_doesNotPreventAdds(Object shards) {
        TestStore.await(store.counter(name).set(Map.of("num_shards", shards)));
        for (int i = 0; i < 5; i++) {
            counter.add(1);
        }
        assertThat(counter.get()).isEqualTo(5);
        assertThat(store.counters().counterNames(name).names()).containsExactly(name);
    }

    static Stream<Object> shardCounts() {
        return Stream.of(0L, -5L, 5000L, Long.MAX_VALUE, Long.MIN_VALUE, "ten", 2.5);
    }

    /** Tests a document deleted in the console: the count stays, and the counter can be restored. */
    @Test
    void counterWithoutItsDocument_isReadButNotListedUntilItIsCreatedAgain() {
        make(5L, 6L);
        TestStore.await(store.counter(name).delete());
        assertThat(counter.get()).isEqualTo(11);
        assertThat(store.counters().counterNames(name).names()).isEmpty();
        assertThat(store.backend().describe(name).join().isThere()).isFalse();
        store.backend().create(name, 2).join();
        assertThat(counter.get()).isEqualTo(11);
        assertThat(store.counters().counterNames(name).names()).containsExactly(name);
        TestStore.await(store.counter(name).delete());
        counter.delete();
        assertThat(store.shards(name)).isEmpty();
    }

    @Test
    void foreignIds_areNotListed() {
        TestStore mine = inACollectionOfItsOwn();
        try (mine) {
            mine.counters().counter("a").add(1);
            mine.counters().counter("b/c").add(1);
            mine.counters().counter("z").add(1);
            String collection = mine.options().layout().counterCollection();
            for (String id : List.of("%", "%zz", "a\u0001", "b%2f", "c".repeat(1500), "100%", "y%2Ez")) {
                TestStore.await(mine.raw().collection(collection).document(id).set(Map.of("num_shards", 1L)));
            }
            for (int limit : List.of(1, 2, 3, 1000)) {
                List<String> names = new ArrayList<>();
                String cursor = null;
                do {
                    NamePage page = mine.counters().counterNames("", cursor, limit);
                    assertThat(page.names()).hasSizeLessThanOrEqualTo(limit);
                    names.addAll(page.names());
                    cursor = page.next();
                } while (cursor != null);
                assertThat(names).as("pages of %s", limit).containsExactly("a", "b/c", "z");
            }
        }
    }

    private static TestStore inACollectionOfItsOwn() {
        return new TestStore(FirestoreCounterOptions.builder()
                .counterCollection("counters-" + UUID.randomUUID())
                .build());
    }

    private void make(@Nullable Object... counts) {
        TestStore.await(store.counter(name).set(Map.of("num_shards", (long) counts.length)));
        for (int shard = 0; shard < counts.length; shard++) {
            Map<String, @Nullable Object> fields = new HashMap<>();
            fields.put("count", counts[shard]);
            TestStore.await(store.shard(name, shard).set(fields));
        }
    }

    private List<String> unsound() {
        return store.backend().describe(name).join().unsound().stream()
                .map(shard -> shard.id() + "=" + shard.count())
                .toList();
    }
}
