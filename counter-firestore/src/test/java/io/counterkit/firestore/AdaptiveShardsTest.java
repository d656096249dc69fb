package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.FieldValue;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.advice.ShardTrend;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests shard counts that follow the load, by a clock that the test moves. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AdaptiveShardsTest {
    private static final int ADDS = 12;

    private final long seed = Long.getLong("counterkit.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final AtomicLong nanos = new AtomicLong(System.nanoTime());
    private final AtomicLong added = new AtomicLong();
    private final String name = TestStore.name();
    private final List<FirestoreFixture> fixtures = new ArrayList<>();
    private final List<Counters> processes = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final FirestoreFixture database = new FirestoreFixture();
    private final FirestoreCounterBackend observer = database.connect();

    @AfterEach
    void close() {
        threads.shutdownNow();
        processes.forEach(Counters::close);
        fixtures.forEach(FirestoreFixture::close);
        database.close();
    }

    private FirestoreFixture fixture() {
        FirestoreFixture fixture =
                database.onTheSameDatabase(FirestoreCounterOptions.defaults(), FirestoreFixture.ClientRetries.DEFAULT);
        fixtures.add(fixture);
        return fixture;
    }

    /** Starts a process whose shard counts follow the load, with conflicts as its only sign. */
    private FirestoreFixture startAdaptive() {
        FirestoreFixture fixture = fixture();
        processes.add(Counters.over(backend(fixture, 2)));
        return fixture;
    }

    private long shardCount() {
        Long count = observer.describe(name).join().shardCount();
        return count == null ? 0 : count;
    }

    /** Lets every process add, while changes of earlier rounds still run, and then moves the clock. */
    private void round(long passed) {
        List<CompletableFuture<Void>> writers = processes.stream()
                .map(process -> CompletableFuture.runAsync(() -> add(process.counter(name)), threads))
                .toList();
        writers.forEach(CompletableFuture::join);
        assertThat(Counters.over(observer).counter(name).get())
                .as("seed %s", seed)
                .isEqualTo(added.get());
        nanos.addAndGet(passed);
    }

    private void add(Counter counter) {
        for (int i = 0; i < ADDS; i++) {
            counter.add(3);
            added.addAndGet(3);
        }
    }

    private void disturb(FirestoreFixture fixture, int conflicts) {
        for (int i = 0; i < conflicts; i++) {
            fixture.inject(StoreFault.FAIL_BEFORE, 1 + random.nextInt(ADDS), Status.Code.ABORTED);
        }
        fixture.inject(StoreFault.LOSE_REPLY, 1 + random.nextInt(ADDS), Status.Code.UNAVAILABLE);
        fixture.inject(StoreFault.FAIL_BEFORE, 1 + random.nextInt(ADDS), Status.Code.UNAVAILABLE);
    }

    @Test
    void shardCountFollowsConflicts_andEveryAddCounts() {
        FirestoreFixture one = startAdaptive();
        FirestoreFixture two = startAdaptive();
        round(0);
        processes.add(Counters.over(fixture().connect())); // will not learn of a change
        assertThat(shardCount()).isEqualTo(2);

        for (int rounds = 0; shardCount() < 8; rounds++) {
            assertThat(rounds).as("rounds of conflicts, seed %s", seed).isLessThan(60);
            disturb(one, 4);
            disturb(two, 4);
            round(ShardTrend.RAISE_NANOS);
        }
        round(0);
        processes.add(Counters.over(fixture().connect())); // knows 8 shards from now on

        for (int rounds = 0; shardCount() > 2; rounds++) {
            assertThat(rounds).as("quiet rounds, seed %s", seed).isLessThan(60);
            disturb(one, 0);
            disturb(two, 0);
            round(ShardTrend.LOWER_NANOS);
        }
        round(ShardTrend.LOWER_NANOS);
        assertThat(shardCount()).isEqualTo(2);
        assertThat(observer.describe(name).join().shards()).hasSize(8);
    }

    @Test
    void countThatAnotherProcessHasSet_isLearned_andNotReplaced() {
        FirestoreFixture fixture = startAdaptive();
        round(0);
        observer.reshard(name, 16).join();
        for (int rounds = 0; surplus() == 0; rounds++) { // wants 4 shards, since it has observed 2
            assertThat(rounds).as("rounds of conflicts, seed %s", seed).isLessThan(60);
            disturb(fixture, 4);
            round(ShardTrend.RAISE_NANOS);
        }
        assertThat(shardCount()).isEqualTo(16);
    }

    private static void add(FirestoreCounterBackend backend, String... names) {
        Commit commit = new Commit(Duration.ofMinutes(1), new SecureRandom(), CountersListener.disabled());
        List<Result<Void>> results = backend.counters()
                .add(Stream.of(names).map(each -> new AddRequest(each, 1, null)).toList(), commit)
                .join();
        assertThat(results).containsOnly(Result.applied());
    }

    /** Both counters are in each commit that conflicts, and the store does not say whose shard was locked. */
    @Test
    void conflictsOfAHotCounter_giveItsNeighbourNoShards() {
        FirestoreFixture fixture = fixture();
        FirestoreCounterBackend backend = backend(fixture, 2);
        String cold = TestStore.name();
        add(backend, name, cold);
        for (int i = 0; i < 20; i++) {
            add(backend, name);
            if (i % 2 == 0) {
                fixture.inject(StoreFault.FAIL_BEFORE, 1, Status.Code.ABORTED);
                add(backend, name, cold);
            }
        }
        assertThat(backend.describe(name).join().activity().conflicts()).isEqualTo(10);
        assertThat(backend.describe(cold).join().activity().conflicts()).isZero();
        nanos.addAndGet(ShardTrend.RAISE_NANOS);
        add(backend, cold);
        add(backend, name);
        await().until(() -> shardCount() == 4);
        assertThat(observer.describe(cold).join().shardCount()).isEqualTo(2);
        backend.close();
    }

    /** Returns a backend whose counter has this many shards, none of which is empty, and is about to be lowered to 2. */
    private FirestoreCounterBackend aboutToLower(FirestoreFixture fixture, int shards) {
        FirestoreCounterBackend backend = backend(fixture, shards);
        add(backend, name);
        for (int i = 0; i < shards; i++) {
            TestStore.await(fixture.client()
                    .document("counters/" + name + "/shards/" + i)
                    .update("count", FieldValue.increment(10)));
        }
        nanos.addAndGet(ShardTrend.LOWER_NANOS);
        return backend;
    }

    /** The lowering fails after it has published the count and emptied the first 20 of 24 shards. */
    @Test
    void loweringThatFailedInPart_isCompletedByTheNextLook() {
        FirestoreFixture fixture = fixture();
        FirestoreCounterBackend backend = aboutToLower(fixture, 26);
        CallFault refused = fixture.inject(StoreFault.FAIL_BEFORE, 11, Status.Code.PERMISSION_DENIED);
        add(backend, name);
        await().until(refused::isHit);
        assertThat(shardCount()).isEqualTo(2);
        assertThat(surplus()).isGreaterThan(0).isLessThan(6);

        await().until(() -> {
            nanos.addAndGet(ShardTrend.RAISE_NANOS);
            add(backend, name);
            return surplus() == 0;
        });
        assertThat(shardCount()).isEqualTo(2);
        long total = Counters.over(observer).counter(name).get();
        add(backend, name);
        assertThat(Counters.over(observer).counter(name).get()).isEqualTo(total + 1);
        assertThat(total).isGreaterThan(80);
        backend.close();
    }

    /** A second change at the same time would do the same work and contend for the same shards. */
    @Test
    void lookDuringALowering_startsNoOther() {
        FirestoreFixture fixture = fixture();
        FirestoreCounterBackend backend = aboutToLower(fixture, 8);
        try (CallFault held = fixture.inject(StoreFault.HOLD, 9, Status.Code.UNAVAILABLE)) {
            add(backend, name);
            await().until(held::isHit);
            int before = fixture.faults().calls().size();
            nanos.addAndGet(ShardTrend.RAISE_NANOS);
            add(backend, name);
            await().during(Duration.ofMillis(300))
                    .untilAsserted(
                            () -> assertThat(fixture.faults().calls().stream().skip(before))
                                    .containsExactly("Commit"));
        }
        await().until(() -> surplus() == 0);
        assertThat(Counters.over(observer).counter(name).get()).isEqualTo(83);
        backend.close();
    }

    @Test
    void counterWithoutAdds_costsNothing() {
        observer.create(name, 8).join();
        FirestoreFixture fixture = fixture();
        FirestoreCounterBackend backend = backend(fixture, 8);
        for (int hours = 0; hours < 4; hours++) {
            backend.transact(IdempotencyToken.random(), transaction -> transaction.add(name, 1))
                    .join();
            nanos.addAndGet(ShardTrend.LOWER_NANOS);
        }
        await().during(Duration.ofMillis(300))
                .untilAsserted(() -> assertThat(fixture.faults().calls()).doesNotContain("RunQuery"));
        assertThat(shardCount()).isEqualTo(8);
        backend.close();
    }

    private FirestoreCounterBackend backend(FirestoreFixture fixture, int shards) {
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .adaptiveShards(2, Math.max(8, shards))
                .shards(shards)
                .writesPerShard(10_000, 10_000)
                .build();
        return ClockedBackend.create(fixture.client(), options, nanos::get);
    }

    private long surplus() {
        return observer.describe(name).join().shards().stream()
                .skip(2)
                .filter(shard -> !Long.valueOf(0).equals(shard.count()))
                .count();
    }

    @Test
    void loadOfAnotherProcess_keepsItsShards() {
        FirestoreFixture fixture = fixture();
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .adaptiveShards(2, 16)
                .writesPerShard(0.01, 10_000)
                .build();
        processes.add(Counters.over(ClockedBackend.create(fixture.client(), options, nanos::get)));
        processes.add(Counters.over(fixture().connect()));
        round(ShardTrend.LOWER_NANOS);
        int before = fixture.faults().calls().size();
        processes.get(0).counter(name).increment();
        await().untilAsserted(() -> assertThat(fixture.faults()
                        .calls()
                        .subList(before, fixture.faults().calls().size()))
                .contains("RunQuery")); // it looked at the shards
        processes.get(0).counter(name).increment();
        assertThat(shardCount()).isEqualTo(10);
    }
}
