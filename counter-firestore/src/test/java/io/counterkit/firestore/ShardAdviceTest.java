package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.Counter;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.advice.ShardAdvisor;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the recommended shard count and its reason. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ShardAdviceTest {
    private static final CounterActivity NOTHING =
            new CounterActivity(0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10   | 1   | 0   | 0    | 0   | 0   | 0   | 10   | almost nothing was added lately; keep the shards
            10   | 1   | 0   | 100  | 0   | 8   | 0   | 10   | 8.0 commits a second (this process at its busiest) are 0.80 for each of 10 shards, and one shard should get 1 a second; enough
            10   | 1   | 0   | 100  | 0   | 25  | 0   | 25   | 25.0 commits a second (this process at its busiest) are 2.50 for each of 10 shards, and one shard should get 1 a second
            10   | 1   | 32  | 100  | 0   | 25  | 0   | 32   | 32.0 commits a second (all processes, by the ages of the shards) are 3.20 for each of 10 shards, and one shard should get 1 a second
            10   | 0.5 | 0   | 100  | 0   | 25  | 0   | 50   | 25.0 commits a second (this process at its busiest) are 2.50 for each of 10 shards, and one shard should get 0.5 a second
            10   | 5   | 0   | 100  | 0   | 25  | 0   | 10   | 25.0 commits a second (this process at its busiest) are 2.50 for each of 10 shards, and one shard should get 5 a second; enough
            10   | 1   | 0   | 100  | 6   | 8   | 0   | 20   | 6 conflicts or lock timeouts in 100 commits: writers meet on the same shards
            10   | 1   | 0   | 100  | 5   | 8   | 0   | 10   | 8.0 commits a second (this process at its busiest) are 0.80 for each of 10 shards, and one shard should get 1 a second; enough
            10   | 1   | 0   | 9    | 9   | 8   | 0   | 10   | 8.0 commits a second (this process at its busiest) are 0.80 for each of 10 shards, and one shard should get 1 a second; enough
            10   | 1   | 0   | 100  | 0   | 10  | 230 | 20   | commits waited 230 ms on average for a shard below its rate of 1 writes a second
            600  | 1   | 0   | 100  | 6   | 300 | 0   | 1000 | 6 conflicts or lock timeouts in 100 commits: writers meet on the same shards
            1000 | 1   | 0   | 100  | 6   | 300 | 0   | 1000 | 6 conflicts or lock timeouts in 100 commits: writers meet on the same shards; this is the most shards: add from fewer processes
            100  | 1   | 0   | 100  | 0   | 8   | 0   | 16   | 8.0 commits a second (this process at its busiest) are 0.08 for each of 100 shards, and one shard should get 1 a second; fewer shards make reset, delete and describe cheaper, a sum costs the same up to 1,000
            """)
    void advice_hasItsReason(
            int shards,
            double perShard,
            double lately,
            long commits,
            long conflicts,
            double busiest,
            long waitMillis,
            int advised,
            String reason) {
        CounterActivity activity = new CounterActivity(
                commits, conflicts, busiest, Duration.ZERO, Duration.ZERO, Duration.ofMillis(waitMillis));
        assertThat(ShardAdvisor.advise(shards, perShard, lately, activity)).isEqualTo(new ShardAdvice(advised, reason));
    }

    @Test
    void describe_returnsTheActivityOfThisProcess() {
        FirestoreCounterOptions options =
                FirestoreCounterOptions.builder().commitsInFlight(2).build();
        try (TestStore store = new TestStore(options, FirestoreFixture.ClientRetries.NONE)) {
            String name = TestStore.name();
            store.backend().create(name, 1).join();
            Counter counter = store.counters().counter(name);
            counter.add(1);
            List<CallFault> faults = new ArrayList<>();
            for (int call = 1; call <= 3; call++) {
                CallFault fault = store.faults().inject(StoreFault.FAIL_BEFORE, call, Status.Code.ABORTED);
                faults.add(fault);
            }
            counter.add(1);
            for (int i = 0; i < 18; i++) {
                counter.add(1);
            }
            List<CompletableFuture<Void>> merged = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                merged.add(counter.async().add(1));
            }
            merged.forEach(CompletableFuture::join);
            faults.forEach(CallFault::close);

            CounterDescription description = store.backend().describe(name).join();
            CounterActivity activity = description.activity();
            assertThat(activity.commits()).isBetween(21L, 119L);
            assertThat(activity.conflicts()).isEqualTo(3);
            assertThat(activity.meanLatency()).isPositive().isLessThanOrEqualTo(activity.longestLatency());
            assertThat(activity.meanWait()).isZero();
            assertThat(description.advice().shards()).isGreaterThan(1);
            assertThat(description.advice().reason()).contains("this process at its busiest");
            assertThat(store.anotherBackend().describe(name).join().activity())
                    .as("of another process")
                    .isEqualTo(NOTHING);
        }
    }

    /** Tests the estimate from the ages of the shards, whichever process wrote them. */
    @Test
    void describe_estimatesTheWritesOfOtherProcesses() {
        try (TestStore store = new TestStore()) {
            String name = TestStore.name();
            store.backend().create(name, 5).join();
            FirestoreCounterBackend other = store.anotherBackend();
            assertThat(other.describe(name).join().writesLately())
                    .as("only made")
                    .isZero();
            await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).untilAsserted(() -> {
                WriteBatch writes = store.raw().batch();
                for (int shard = 0; shard < 5; shard++) {
                    writes.update(store.shard(name, shard), "count", FieldValue.increment(1));
                }
                TestStore.await(writes.commit());
                CounterDescription description = other.describe(name).join();
                assertThat(description.writesLately()).isGreaterThan(6);
                assertThat(description.advice().shards()).isGreaterThan(5);
                assertThat(description.advice().reason()).contains("all processes");
            });
        }
    }

    @Test
    void commitsThatWaitForTheirShard_areReported() {
        FirestoreCounterOptions options =
                FirestoreCounterOptions.builder().writesPerShard(2, 1).build();
        try (TestStore store = new TestStore(options)) {
            String name = TestStore.name();
            store.backend().create(name, 1).join();
            for (int i = 0; i < 4; i++) {
                store.counters().counter(name).add(1);
            }
            assertThat(store.backend().describe(name).join().activity().meanWait())
                    .isPositive();
        }
    }
}
