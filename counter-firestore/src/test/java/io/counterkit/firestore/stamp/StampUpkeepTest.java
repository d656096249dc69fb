package io.counterkit.firestore.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.SetOptions;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests stamps between processes with other options, and after a backup was restored. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StampUpkeepTest {
    private static final String ID = "0123456789012345678901";

    private final String tokens = TestStore.name();
    private final TestStore store = new TestStore(options(24, WriteStrategy.STAMP), ClientRetries.NONE);
    private final List<FirestoreCounterBackend> others = new ArrayList<>();
    private final String name = TestStore.name();

    private FirestoreCounterOptions options(int hours, WriteStrategy strategy) {
        return FirestoreCounterOptions.builder()
                .writeStrategy(strategy)
                .shards(1)
                .tokenCollection(tokens)
                .retention(Duration.ofHours(hours))
                .build();
    }

    private FirestoreCounterBackend another(int hours, WriteStrategy strategy) {
        FirestoreCounterBackend another = FirestoreCounterBackend.create(store.client(), options(hours, strategy));
        others.add(another);
        return another;
    }

    @AfterEach
    void close() {
        others.forEach(FirestoreCounterBackend::close);
        store.close();
    }

    private static Commit newCommit() {
        return new Commit(Duration.ofMinutes(1), new SecureRandom(), CountersListener.disabled());
    }

    private void add(CounterBackend backend, Commit commit, long delta) {
        assertThat(backend.counters()
                        .add(List.of(new AddRequest(name, delta, null)), commit)
                        .join())
                .containsExactly(Result.applied());
    }

    private Map<?, ?> stamps() {
        return (Map<?, ?>) Objects.requireNonNull(
                Objects.requireNonNull(store.data(store.shard(name, 0))).get("stamps"));
    }

    private static Timestamp hoursAgo(int hours) {
        return Timestamp.ofTimeSecondsAndNanos(Timestamp.now().getSeconds() - hours * 3600L, 0);
    }

    private void put(Map<String, Map<String, Object>> stamps) {
        TestStore.await(store.shard(name, 0).set(Map.of("stamps", stamps), SetOptions.merge()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 24, 100})
    void stampIsKept_forTheRetentionOfItsWriter(int retentionOfTheOther) {
        add(store.backend(), newCommit(), 1);
        put(Map.of(
                "usual", Map.of("id", ID, "at", hoursAgo(24)),
                "expired", Map.of("id", ID, "at", hoursAgo(26)),
                "long", Map.of("id", ID, "at", hoursAgo(48), "for", 48 * 3600),
                "short", Map.of("id", ID, "at", hoursAgo(3), "for", 3600)));
        FirestoreCounterBackend other = another(retentionOfTheOther, WriteStrategy.STAMP);
        add(other, newCommit(), 1);
        assertThat(stamps().keySet().toString()).contains("usual", "long").doesNotContain("expired", "short");
        Map<?, ?> own = stamps().values().stream()
                .map(stamp -> (Map<?, ?>) stamp)
                .filter(stamp -> !stamp.get("id").equals(ID))
                .findAny()
                .orElseThrow();
        if (retentionOfTheOther == 24) {
            assertThat(own.containsKey("for")).as("the usual one is not stored").isFalse();
        } else {
            assertThat(own.get("for")).isEqualTo(retentionOfTheOther * 3600L);
        }
    }

    /** The caller has left with the token three hours ago. */
    @Test
    void tokenOfAProcessWithALongerRetention_isNotResolvedAsNotApplied() {
        add(store.backend(), newCommit(), 1);
        add(store.backend(), newCommit(), 1); // the next one is a single call
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            sent = store.backend().counters().add(List.of(new AddRequest(name, 5, null)), commit);
            await().until(fault::isHit);
            commit.token();
        }
        sent.join();
        Map<String, Map<String, Object>> older = new HashMap<>();
        stamps().forEach((lane, stamp) -> older.put(
                String.valueOf(lane),
                Map.of("id", Objects.requireNonNull(((Map<?, ?>) stamp).get("id")), "at", hoursAgo(3))));
        put(older);
        FirestoreCounterBackend other = another(1, WriteStrategy.STAMP);
        add(other, newCommit(), 1);
        add(other, newCommit(), 1);
        assertThat(other.resolve(commit.token(), ChangeTarget.counter(name), newCommit())
                        .join()
                        .applied())
                .isTrue();
    }

    /** The collection of tokens is not restored, or keeps what is newer than the backup. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void counterThatWasRestored_canBeDeletedOrSealed(boolean seals) {
        add(store.backend(), newCommit(), 1);
        add(store.backend(), newCommit(), 1);
        Map<String, Object> counter = Objects.requireNonNull(store.data(store.counter(name)));
        Map<String, Object> shard = Objects.requireNonNull(store.data(store.shard(name, 0)));
        assertThat(shard).containsKey("stamps");
        store.counters().counter(name).delete();
        TestStore.await(store.counter(name).set(counter));
        TestStore.await(store.shard(name, 0).set(shard));

        try (Counters counters = Counters.over(another(24, WriteStrategy.INCREMENT))) {
            assertThat(counters.counter(name).get()).isEqualTo(2);
            if (seals) {
                counters.counter(name).seal("elsewhere");
                assertThat(counters.counter(name).get()).isEqualTo(2);
            } else {
                counters.counter(name).delete();
                assertThat(counters.counter(name).get()).isZero();
            }
        }
    }

    /** As during an upgrade that sets the option in one process after the other. */
    @Test
    void processesWithAndWithoutStamps_areExactTogether() {
        List<Counters> processes = new ArrayList<>();
        for (WriteStrategy strategy :
                List.of(WriteStrategy.STAMP, WriteStrategy.INCREMENT, WriteStrategy.STAMP, WriteStrategy.INCREMENT)) {
            processes.add(Counters.over(another(24, strategy)));
        }
        processes.get(0).counter(name).add(0);
        int rounds = 12;
        for (int round = 0; round < rounds; round++) {
            store.faults().inject(StoreFault.LOSE_REPLY, 2, Status.Code.UNAVAILABLE);
            store.faults().inject(StoreFault.LOSE_REPLY, 5, Status.Code.DEADLINE_EXCEEDED);
            List<CompletableFuture<Void>> adds = new ArrayList<>();
            for (int i = 0; i < processes.size(); i++) {
                adds.add(processes.get(i).counter(name).async().add(1L << (8 * i)));
            }
            adds.forEach(CompletableFuture::join);
            if (round % 4 == 3) {
                Counters one = processes.get(round / 4 % processes.size());
                assertThat(one.counter(name).get()).isEqualTo(0x01010101L * (round + 1));
            }
        }
        processes.get(1).counter(name).delete(); // without the option, and keeps the stamps
        assertThat(processes.get(0).counter(name).get()).isZero();
        processes.get(2).counter(name).add(7);
        assertThat(processes.get(3).counter(name).get()).isEqualTo(7);
        processes.forEach(Counters::close);
    }
}
