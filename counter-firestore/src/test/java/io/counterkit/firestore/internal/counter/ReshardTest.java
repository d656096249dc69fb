package io.counterkit.firestore.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import io.counterkit.CorruptDataException;
import io.counterkit.Counter;
import io.counterkit.CounterOverflowException;
import io.counterkit.Counters;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.CounterDescription;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.foreign.PublishedRecipe;
import io.counterkit.firestore.internal.client.DocumentIds;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests resharding while other processes write to the counter. */
class ReshardTest {
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final FirestoreCounterBackend backend = fixture.connect();
    private final Counters counters = Counters.over(backend);
    private final String name = "reshard/" + UUID.randomUUID();

    @AfterEach
    void close() {
        counters.close();
        fixture.close();
    }

    @Test
    void writersWithStaleShardCountsAndTheRecipe_loseNothing() throws Exception {
        backend.create(name, 10).join();
        Firestore client = fixture.client();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong added = new AtomicLong();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        List<Counters> processes = List.of(Counters.over(fixture.connect()), Counters.over(fixture.connect()));
        for (Counters process : processes) {
            Counter counter = process.counter(name);
            counter.add(1); // remembers ten shards
            added.incrementAndGet();
            writers.add(CompletableFuture.runAsync(() -> {
                while (!stop.get()) {
                    counter.add(3);
                    added.addAndGet(3);
                }
            }));
        }
        PublishedRecipe recipe = new PublishedRecipe(client, DocumentIds.of(name));
        writers.add(CompletableFuture.runAsync(() -> {
            while (!stop.get()) {
                try {
                    recipe.increment();
                } catch (ExecutionException | InterruptedException e) {
                    throw new CompletionException(e);
                }
                added.incrementAndGet();
            }
        }));
        for (int shards : new int[] {100, 3, 20, 1}) {
            backend.reshard(name, shards).join();
            CounterDescription description = backend.describe(name).join();
            assertThat(description.shardCount()).isEqualTo(shards);
            assertThat(description.shards()).hasSizeGreaterThanOrEqualTo(shards);
        }
        stop.set(true);
        writers.forEach(CompletableFuture::join);
        processes.forEach(Counters::close);

        assertThat(counters.counter(name).get()).isEqualTo(added.get());
    }

    @Test
    void shrink_emptiesAndKeepsSurplusShards() {
        backend.create(name, 10).join();
        for (int i = 0; i < 30; i++) {
            counters.counter(name).add(7);
        }

        backend.reshard(name, 2).join();

        CounterDescription description = backend.describe(name).join();
        assertThat(description.shards()).hasSize(10);
        assertThat(description.shards().subList(2, 10))
                .allMatch(shard -> Long.valueOf(0).equals(shard.count()));
        assertThat(counters.counter(name).get()).isEqualTo(210);
    }

    /** Interrupts the process at each call in turn, and repeats the resharding in another process. */
    @ParameterizedTest
    @EnumSource(names = {"FAIL_BEFORE", "LOSE_REPLY"})
    @Tag("exhaustive")
    void interruptedAtEachCallAndRepeated_isExactAtEachStep(StoreFault fault) {
        backend.create(name, 2).join();
        counters.counter(name).add(1000);
        boolean isHit = true;
        for (int call = 1; isHit; call++) {
            int shards = call % 2 == 0 ? 2 : 5;
            FirestoreFixture dying = fixture.onTheSameDatabase(
                    FirestoreCounterOptions.builder()
                            .deadline(Duration.ofSeconds(2))
                            .build(),
                    FirestoreFixture.ClientRetries.NONE);
            FirestoreCounterBackend mortal = dying.connect();
            mortal.describe(name)
                    .handle((description, failure) -> description)
                    .join(); // a client's first call takes long
            List<InjectedFault> faults = new ArrayList<>();
            for (int later = call; later < call + 40; later++) {
                faults.add(dying.faults().inject(fault, later));
            }
            CompletableFuture<Void> attempt = mortal.reshard(name, shards);
            isHit = attempt.handle((done, failure) -> failure != null).join();
            assertThat(counters.counter(name).get())
                    .as("total after call %s failed", call)
                    .isEqualTo(1000);
            faults.forEach(InjectedFault::close);
            dying.close();

            backend.reshard(name, shards).join();
            CounterDescription description = backend.describe(name).join();
            assertThat(description.shardCount()).isEqualTo(shards);
            assertThat(description.shards().stream().skip(shards))
                    .allMatch(shard -> Long.valueOf(0).equals(shard.count()));
            assertThat(counters.counter(name).get()).isEqualTo(1000);
            counters.counter(name).add(1);
            counters.counter(name).add(-1);
        }
    }

    @Test
    void absentCounter_isRefused() {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.reshard(name, 5).join())
                .withCauseInstanceOf(NotAppliedException.class)
                .withMessageContaining("there is no such counter");
    }

    /**
     * Holds the begin of the transaction that empties the first surplus shard, which follows the commit of the count.
     */
    private CompletableFuture<Void> shrinkAnd(Runnable meanwhile) {
        backend.create(name, 10).join();
        for (int i = 0; i < 30; i++) {
            counters.counter(name).add(7);
        }
        CompletableFuture<Void> reshard;
        try (InjectedFault held = fixture.faults().inject(StoreFault.HOLD, 4)) {
            reshard = backend.reshard(name, 1);
            await().until(held::isHit);
            meanwhile.run();
        }
        return reshard;
    }

    @Test
    void surplusShardThatOthersChangeMeanwhile_isEmptyAfterwards() {
        FirestoreCounterBackend other = fixture.connect();
        DocumentReference seventh = fixture.client().document("counters/" + DocumentIds.of(name) + "/shards/7");
        shrinkAnd(() -> {
                    other.reshard(name, 1).join();
                    TestStore.await(seventh.update("count", FieldValue.increment(5))); // by a writer with the old count
                })
                .join();
        assertThat(backend.describe(name).join().shards().stream().skip(1))
                .hasSize(9)
                .allMatch(shard -> Long.valueOf(0).equals(shard.count()));
        assertThat(counters.counter(name).get()).isEqualTo(215);
    }

    @Test
    void counterThatIsDeletedMeanwhile_isNotReportedAsNotApplied() {
        Counters others = Counters.over(fixture.connect());
        CompletableFuture<Void> reshard = shrinkAnd(() -> others.counter(name).delete());

        reshard.join();

        assertThat(counters.counter(name).get()).isZero();
        assertThat(backend.describe(name).join().shards()).isEmpty();
    }

    @Test
    void counterThatIsSealedMeanwhile_isNotReportedAsNotApplied() {
        Counters others = Counters.over(fixture.connect());
        shrinkAnd(() -> others.counter(name).seal("elsewhere")).join();
        assertThat(counters.counter(name).get()).isEqualTo(210);
        assertThat(backend.describe(name).join().shards()).isEmpty();
    }

    @Test
    void shardThatIsRemovedMeanwhile_isCreatedAgain() {
        Firestore client = fixture.client();
        DocumentReference first = client.collection("counters")
                .document(DocumentIds.of(name))
                .collection("shards")
                .document("0");
        AtomicLong lost = new AtomicLong();
        shrinkAnd(() -> {
                    lost.set(Objects.requireNonNull(TestStore.await(first.get()).getLong("count")));
                    TestStore.await(first.delete());
                })
                .join();
        assertThat(counters.counter(name).get()).isEqualTo(210 - lost.get());
        assertThat(backend.describe(name).join().shards().stream().skip(1))
                .hasSize(9)
                .allMatch(shard -> Long.valueOf(0).equals(shard.count()));
    }

    @Test
    void surplusShardThatHoldsNoNumber_isReportedBeforeAnythingChanges() {
        backend.create(name, 3).join();
        counters.counter(name).add(7);
        TestStore.await(fixture.client()
                .document("counters/" + DocumentIds.of(name) + "/shards/2")
                .set(Map.of("count", "12")));
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.reshard(name, 1).join())
                .withCauseInstanceOf(CorruptDataException.class)
                .withMessageContainingAll("/shards/2", "12", "nothing was changed");
        assertThat(backend.describe(name).join().shardCount()).isEqualTo(3);
    }

    /** Together they would exceed what a shard can hold, and the store would silently keep less. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 1, Long.MIN_VALUE})
    void surplusShardsThatNoShardCanHold_areReportedBeforeAnythingChanges(long count) {
        backend.create(name, 3).join();
        counters.counter(name).add(7);
        Firestore client = fixture.client();
        for (int shard : new int[] {1, 2}) {
            TestStore.await(client.document("counters/" + DocumentIds.of(name) + "/shards/" + shard)
                    .set(Map.of("count", count / shard)));
        }
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.reshard(name, 1).join())
                .withCauseInstanceOf(CounterOverflowException.class)
                .withMessageContainingAll(name, "surplus shards", "±2^63", "reset the counter", "nothing was changed");
        assertThat(backend.describe(name).join().shardCount()).isEqualTo(3);
        backend.reshard(name, 5).join();
        counters.counter(name).reset();
        backend.reshard(name, 1).join();
        assertThat(counters.counter(name).get()).isZero();
    }
}
