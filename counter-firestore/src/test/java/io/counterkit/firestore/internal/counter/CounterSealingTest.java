package io.counterkit.firestore.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.SetOptions;
import io.counterkit.CorruptDataException;
import io.counterkit.Counter;
import io.counterkit.CounterOverflowException;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.firestore.CounterDescription;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.foreign.PublishedRecipe;
import io.counterkit.spi.Call;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the seal of a counter against changes that are on their way, and against software that does not know seals. */
class CounterSealingTest {
    private static final String ELSEWHERE = "elsewhere";

    private final TestStore store = new TestStore();
    private final String name = TestStore.name();
    private final Counter counter = store.counters().counter(name);

    @AfterEach
    void close() {
        store.close();
    }

    private static Call call() {
        return new Call(Duration.ofMinutes(1), CountersListener.disabled());
    }

    private long lateAdds() {
        return store.backend()
                .migration()
                .lateAdds(List.of(name), call())
                .join()
                .get(0);
    }

    /** Tests the only add that creates a shard of a known counter: it has read the counter, but not in its commit. */
    @Test
    void addThatCreatesItsShard_doesNotPassASeal() {
        try (TestStore lazy = store.onTheSameDatabase(FirestoreCounterOptions.builder()
                .seeding(Seeding.ON_FIRST_USE)
                .shards(1)
                .build())) {
            lazy.counters().counter(name).add(5);
            TestStore.await(store.shard(name, 0).delete());
            CompletableFuture<Void> add;
            // The third call is the commit that creates the shard, after one that found none, and a read.
            try (CallFault held = lazy.faults().inject(StoreFault.HOLD, 3)) {
                add = lazy.counters().counter(name).async().add(1);
                await().until(held::isHit);
                assertThat(counter.seal(ELSEWHERE)).isEqualTo(new Seal(ELSEWHERE, 0, 0));
            }
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(add::join)
                    .withCauseInstanceOf(SealedException.class);
            assertThat(counter.get()).isZero();
            assertThat(lateAdds()).isZero();
        }
    }

    @Test
    void firstAdd_doesNotPassASeal() {
        CompletableFuture<Void> add;
        try (CallFault held = store.faults().inject(StoreFault.HOLD, 2)) {
            add = counter.async().add(1);
            await().until(held::isHit);
            assertThat(store.another().counter(name).seal(ELSEWHERE)).isEqualTo(new Seal(ELSEWHERE, 0, 0));
        }
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(add::join)
                .withCauseInstanceOf(SealedException.class);
        assertThat(counter.get()).isZero();
        assertThat(store.shards(name)).containsOnlyKeys("seal");
    }

    @Test
    void reshard_doesNotPassASeal() {
        counter.add(5);
        CompletableFuture<Void> reshard;
        FirestoreCounterBackend other = store.anotherBackend();
        try (CallFault held = store.faults().inject(StoreFault.HOLD, 2)) {
            reshard = other.reshard(name, 20);
            await().until(held::isHit);
            counter.seal(ELSEWHERE);
        }
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(reshard::join)
                .withCauseInstanceOf(SealedException.class);
        assertThat(store.shards(name)).containsOnlyKeys("seal");
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> other.create(name, 10).join())
                .withCauseInstanceOf(SealedException.class);
    }

    @Test
    void transaction_isRefusedWithTheSeal_andTheApplicationsWritesWithIt() {
        counter.add(5);
        store.another().counter(name).seal(ELSEWHERE);
        var mine = store.raw().document("mine/" + name);
        IdempotencyToken token = IdempotencyToken.of(name);
        for (int time = 0; time < 2; time++) { // before and after this process knows of the seal
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> store.backend()
                            .transact(token, transaction -> {
                                transaction.transaction().set(mine, Map.of("a", 1L));
                                transaction.add(name, 1);
                            })
                            .join())
                    .withCauseInstanceOf(SealedException.class);
        }
        assertThat(store.data(mine)).isNull();
        assertThat(counter.get()).isEqualTo(5);
    }

    @Test
    void updatesOfTheRecipe_failAfterASeal() throws Exception {
        PublishedRecipe recipe = new PublishedRecipe(store.raw(), name);
        counter.add(5);
        recipe.increment();
        assertThat(counter.seal(ELSEWHERE)).isEqualTo(new Seal(ELSEWHERE, 6, 6));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(recipe::increment)
                .withMessageContaining("NOT_FOUND");
        assertThat(counter.get()).isEqualTo(6);
    }

    @Test
    void shardThatOtherSoftwareCreatesAfterASeal_isReported_andNoPartOfTheTotal() {
        counter.add(5);
        Seal seal = counter.seal(ELSEWHERE);
        assertThat(lateAdds()).isZero();
        for (int time = 0; time < 2; time++) {
            TestStore.await(store.shard(name, 3).set(Map.of("count", FieldValue.increment(7)), SetOptions.merge()));
        }
        assertThat(counter.get()).isEqualTo(5);
        assertThat(store.another().counter(name).read(Duration.ofNanos(1)).value())
                .isEqualTo(5);
        assertThat(counter.seal(ELSEWHERE)).isEqualTo(seal);
        assertThat(lateAdds()).isEqualTo(14);
        CounterDescription described = store.backend().describe(name).join();
        assertThat(described.seal()).isEqualTo(seal);
        assertThat(described.shards()).containsExactly(new CounterDescription.Shard("3", 14L, 1));
        assertThatExceptionOfType(SealedException.class).isThrownBy(counter::reset);
        assertThatExceptionOfType(SealedException.class).isThrownBy(counter::delete);
        assertThat(lateAdds()).isEqualTo(14);
    }

    /** Tests a counter that a program of the recipe creates again, which replaces its document. */
    @Test
    void sealInAReplacedDocument_isReadFromItsShard_andRepairedByTheNextSeal() {
        counter.add(5);
        Seal seal = counter.seal(ELSEWHERE);
        TestStore.await(store.counter(name).set(Map.of("num_shards", 10L)));
        assertThat(counter.get()).isEqualTo(5);
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(store.another().counter(name)::reset);
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> store.another().counter(name).seal("another place"))
                .satisfies(refused -> assertThat(refused.seal()).isEqualTo(seal));
        assertThat(Objects.requireNonNull(store.data(store.counter(name)))).containsKey("seal");
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> store.another().counter(name).add(1));
    }

    @Test
    void totalBeyond64Bits_isKeptExactly() {
        TestStore.await(store.counter(name).set(Map.of("num_shards", 2L)));
        TestStore.await(store.shard(name, 0).set(Map.of("count", Long.MAX_VALUE)));
        TestStore.await(store.shard(name, 1).set(Map.of("count", Long.MAX_VALUE)));
        assertThat(counter.seal(ELSEWHERE)).isEqualTo(new Seal(ELSEWHERE, Long.MAX_VALUE, Long.MAX_VALUE));
        assertThatExceptionOfType(CounterOverflowException.class)
                .isThrownBy(store.another().counter(name)::get)
                .withMessageContaining("18446744073709551614");
        assertThatExceptionOfType(SealedException.class).isThrownBy(counter::reset);
    }

    @Test
    void counterWithAShardThatIsNoNumber_isNotSealed() {
        TestStore.await(store.counter(name).set(Map.of("num_shards", 4L)));
        TestStore.await(store.shard(name, 0).set(Map.of("count", 5L)));
        TestStore.await(store.shard(name, 3).set(Map.of("count", "12")));
        Map<String, Map<String, Object>> before = store.shards(name);
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> counter.seal(ELSEWHERE))
                .withMessageContainingAll("'" + name + "'", "shard '3'", "12", "nothing was changed");
        assertThat(store.shards(name)).isEqualTo(before);
        assertThat(counter.get()).isEqualTo(5);
    }

    @Test
    void sealThatIsNoSeal_isReported() {
        counter.add(5);
        Map<String, Object> wrong = new HashMap<>(Map.of("forward", ELSEWHERE, "total", "many"));
        TestStore.await(store.counter(name).set(Map.of("seal", wrong), SetOptions.merge()));
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> store.another().counter(name).add(1))
                .withMessageContaining("holds no valid seal");
    }

    @Test
    void sealedCounters_areListedByTheirTotals_exceptAbsentOnes() {
        store.counters().counter(name + "/absent").seal(ELSEWHERE);
        store.counters().counter(name + "/present").add(5);
        store.counters().counter(name + "/present").seal(ELSEWHERE);
        assertThat(store.another().top(name, 10))
                .extracting(named -> named.name() + " " + named.reading().value())
                .containsExactly(name + "/present 5");
        try (TestStore fresh = store.onTheSameDatabase(
                FirestoreCounterOptions.builder().keepFresh("").build())) {
            assertThat(fresh.counters().top(name, 10))
                    .extracting(named -> named.name() + " " + named.reading().value())
                    .containsExactly(name + "/present 5");
        }
    }
}
