package io.counterkit.firestore.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests roll-ups of changed counters without readers. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RollupWorkerTest {
    private static final Duration SOON = Duration.ofMillis(20);

    /** The calls of a first add: a read and a commit. A fault armed after it might come after the round. */
    private static final int FIRST_ADD = 2;

    private final String name = TestStore.name();
    private final TestStore store = new TestStore(fresh(SOON), FirestoreFixture.ClientRetries.NONE);

    private static FirestoreCounterOptions fresh(Duration cadence) {
        return FirestoreCounterOptions.builder()
                .keepFresh("test-")
                .rollupCadence(cadence)
                .build();
    }

    /** Creates a process that writes roll-ups at another cadence. */
    private TestStore store(Duration cadence) {
        return store.onTheSameDatabase(fresh(cadence), FirestoreFixture.ClientRetries.NONE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void awaitRollup(long total) {
        await().untilAsserted(() -> assertThat(store.data(store.counter(name))).containsEntry("total", total));
    }

    @Test
    void eachChange_isFollowedByARollup() {
        store.backend().create(name, 2).join();
        awaitRollup(0);
        store.counters().counter(name).add(5);
        awaitRollup(5);
        store.counters().counter(name).add(2, IdempotencyToken.of(TestStore.name()));
        awaitRollup(7);
        store.counters().counter(name).reset();
        awaitRollup(0);
        store.backend()
                .transact(IdempotencyToken.of(TestStore.name()), transaction -> transaction.add(name, 3))
                .join();
        awaitRollup(3);
        store.backend().reshard(name, 4).join();
        store.counters().counter(name).add(1);
        awaitRollup(4);
    }

    @Test
    void withoutChanges_nothingIsCalled_andOtherNamesAreIgnored() {
        store.counters().counter(name).add(5);
        awaitRollup(5);
        String other = "other-" + name;
        store.counters().counter(other).add(5);
        int before = store.faults().calls().size();

        await().during(Duration.ofMillis(500))
                .until(() -> store.faults().calls().size() == before);

        assertThat(store.data(store.counter(other))).containsOnlyKeys("num_shards");
    }

    @Test
    void manyAdds_areOneRollup() {
        try (TestStore slow = store(Duration.ofMinutes(1))) {
            for (int i = 0; i < 20; i++) {
                slow.counters().counter(name).add(1);
            }
            assertThat(slow.data(slow.counter(name))).containsOnlyKeys("num_shards");
            int before = slow.faults().calls().size();
            slow.backend().close();
            List<String> calls = slow.faults().calls();
            assertThat(calls.subList(before, calls.size()))
                    .containsExactly("BatchGetDocuments", "RunAggregationQuery", "Commit");
            assertThat(slow.data(slow.counter(name))).containsEntry("total", 20L);
        }
    }

    /** Fails each call of a round (document, sum, roll-up), or loses its reply. */
    @ParameterizedTest
    @CsvSource({"FAIL_BEFORE, 1", "FAIL_BEFORE, 2", "FAIL_BEFORE, 3", "LOSE_REPLY, 1", "LOSE_REPLY, 2", "LOSE_REPLY, 3"
    })
    void failedCall_isRetried(StoreFault fault, int call) {
        try (TestStore slow = store(Duration.ofSeconds(1))) {
            CallFault injected = slow.faults().inject(fault, FIRST_ADD + call);
            slow.counters().counter(name).add(5);
            awaitRollup(5);
            await().until(injected::isHit);
            slow.counters().counter(name).add(2);
            awaitRollup(7);
            injected.close();
        }
    }

    @Test
    void rollupAfterAConcurrentChange_isWrittenLater() {
        try (TestStore slow = store(Duration.ofSeconds(1))) {
            CallFault held = slow.faults().inject(StoreFault.HOLD, FIRST_ADD + 3);
            slow.counters().counter(name).add(5);
            await().until(held::isHit);
            TestStore.await(slow.counter(name).update("theirs", true));
            assertThat(slow.data(slow.counter(name))).doesNotContainKey("total");
            held.close();
            awaitRollup(5);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL_BEFORE", "LOSE_REPLY"})
    void processThatEnds_leavesItLate_andRollUpRenewsIt(StoreFault fault) {
        try (TestStore slow = store(Duration.ofMinutes(1));
                TestStore other = store.onTheSameDatabase(FirestoreCounterOptions.builder()
                        .rollupCadence(Duration.ofHours(1))
                        .build())) {
            slow.counters().counter(name).add(5);
            for (int call = 1; call <= 3; call++) {
                CallFault unused = slow.faults().inject(fault, call);
            }
            slow.backend().close();
            assertThat(other.counters().counter(name).read(Duration.ofNanos(1)).value())
                    .isEqualTo(5);
            TestStore.await(other.counter(name).set(Map.of("num_shards", 10L)));

            // 0 if a call that the ended process still had on its way was in time to write it.
            assertThat(other.backend().rollUp(name).join()).isBetween(0L, 1L);

            assertThat(other.data(other.counter(name))).containsEntry("total", 5L);
            assertThat(other.backend().rollUp(name).join())
                    .as("younger than the cadence")
                    .isZero();
        }
    }

    @Test
    void rollUp_reportsAFailureOfTheStore_andAnInvalidPrefix() {
        try (TestStore other =
                store.onTheSameDatabase(FirestoreCounterOptions.defaults(), FirestoreFixture.ClientRetries.NONE)) {
            other.counters().counter(name).add(5);
            CallFault unused = other.faults().inject(StoreFault.FAIL_BEFORE, 4, Status.Code.PERMISSION_DENIED);
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> other.backend().rollUp(name).join())
                    .withCauseInstanceOf(NotAppliedException.class)
                    .withMessageContaining("rolling up '" + name + "'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> other.backend().rollUp("a\nb"));
        }
    }

    /** Tests that an unreadable total is not retried: only a change can correct it, and makes it due again. */
    @Test
    void unreadableTotal_isSkipped_untilItChanges() {
        store.counters().counter(name).add(5);
        awaitRollup(5);
        TestStore.await(store.shard(name, 0).update("count", 0.5));
        store.counters().counter(name).add(1);
        await().until(() ->
                store.faults().calls().get(store.faults().calls().size() - 1).equals("RunQuery"));
        int before = store.faults().calls().size();
        await().during(Duration.ofMillis(300))
                .until(() -> store.faults().calls().size() == before);
        assertThat(store.data(store.counter(name))).containsEntry("total", 5L);
        store.counters().counter(name).reset();
        awaitRollup(0);
    }
}
