package io.counterkit.firestore.stamp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.SetOptions;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Tests what adds with stamps write, and which of them get a token document. */
class StampTest extends StampSetup {
    @Test
    void anAdd_writesTheShardOnly() {
        int before = tokenDocuments();
        for (int i = 0; i < 5; i++) {
            int calls = store.faults().calls().size();
            add(here, newCommit(), 1);
            assertThat(store.faults().calls()).hasSize(calls + 1);
        }
        assertThat(tokenDocuments()).isEqualTo(before);
        assertThat(stamps(0)).hasSize(1);
        assertThat(total()).isEqualTo(7);
    }

    @Test
    void anotherWriter_makesAStampOfALaterTime() {
        Commit commit = newCommit();
        int before = tokenDocuments();
        CompletableFuture<List<Result<Void>>> sent = sendHeld(
                here, commit, () -> TestStore.await(store.shard(name, 0).update("count", FieldValue.increment(10))));
        assertThat(sent.join()).containsExactly(APPLIED);
        assertThat(tokenDocuments()).isEqualTo(before);
        assertThat(total()).isEqualTo(17);
        assertResolved(commit, true);
    }

    @Test
    void severalCounters_haveOneStampAndNoTokenDocument() {
        String other = TestStore.name();
        here.counters()
                .add(List.of(new AddRequest(other, 1, null)), newCommit())
                .join();
        int before = tokenDocuments();
        Commit commit = newCommit();
        int calls = store.faults().calls().size();
        List<AddRequest> requests = List.of(new AddRequest(other, 3, null), new AddRequest(name, 4, null));
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault lost = store.faults().inject(StoreFault.LOSE_REPLY, 1)) {
            sent = here.counters().add(requests, commit);
            commit.token();
            assertThat(sent.join()).containsExactly(APPLIED, APPLIED);
            assertThat(lost.isHit()).isTrue();
        }
        assertThat(store.faults().calls()).hasSize(calls + 3); // the lost one, its repetition, and the read
        assertThat(tokenDocuments()).isEqualTo(before);
        assertThat(total()).isEqualTo(6);
        for (String counter : List.of(name, other)) {
            assertThat(there.resolve(commit.token(), ChangeTarget.counter(counter), newCommit())
                            .join()
                            .applied())
                    .isTrue();
        }
    }

    @Test
    void severalCountersOfWhichOneIsDeleted_areAppliedOnce() {
        String other = TestStore.name();
        here.counters()
                .add(List.of(new AddRequest(other, 1, null)), newCommit())
                .join();
        there.counters().delete(other, newCommit()).join();
        List<AddRequest> requests = List.of(new AddRequest(other, 3, null), new AddRequest(name, 4, null));
        assertThat(here.counters().add(requests, newCommit()).join()).containsExactly(APPLIED, APPLIED);
        assertThat(total()).isEqualTo(6);
        assertThat(here.counters()
                        .read(List.of(other), Duration.ZERO, newCommit())
                        .join()
                        .get(0)
                        .orThrow()
                        .value())
                .isEqualTo(3);
    }

    @Test
    void stampsThatOtherSoftwareRemoved_leaveTheOutcomeUnknown() {
        CompletableFuture<List<Result<Void>>> sent = sendHeld(
                here, newCommit(), () -> TestStore.await(store.shard(name, 0).set(Map.of("count", 50))));
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(sent::join)
                .withMessageContaining("removed by other software");
    }

    @Test
    void oldStampsAreRemoved_andAFullShardGetsDocuments() {
        Map<String, Object> stamps = new HashMap<>();
        Timestamp old = Timestamp.ofTimeSecondsAndNanos(Timestamp.now().getSeconds() - 26 * 3600, 0);
        for (int i = 0; i < 100; i++) {
            stamps.put("old" + i, Map.of("id", "0123456789012345678901", "at", old));
        }
        TestStore.await(store.shard(name, 0).set(Map.of("stamps", stamps), SetOptions.merge()));
        CounterBackend fresh = store.anotherBackend();
        add(fresh, newCommit(), 1);
        assertThat(stamps(0)).hasSize(2);
        stamps.replaceAll((lane, stamp) -> Map.of("id", "0123456789012345678901", "at", Timestamp.now()));
        TestStore.await(store.shard(name, 0).set(Map.of("stamps", stamps), SetOptions.merge()));
        int before = tokenDocuments();
        add(store.anotherBackend(), newCommit(), 1);
        assertThat(tokenDocuments()).isEqualTo(before + 1);
        assertThat(stamps(0)).hasSize(102);
        assertThat(total()).isEqualTo(4);
    }

    @Test
    void storedStampsAndTokens_stayReadable() {
        TestStore.await(store.shard(name, 0)
                .set(
                        Map.of(
                                "stamps",
                                Map.of("w1a2b", Map.of("id", "AAAAAAAAAAAAAAAAAAAAAA", "at", Timestamp.now()))),
                        SetOptions.merge()));
        String encoded = Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(UTF_8));
        for (String mark : List.of("0.1700000000.5", "0.1700000000.5." + encoded, "+")) {
            String token = "~ck:a:AAAAAAAAAAAAAAAAAAAAAA@" + mark + ":0:5:" + name;
            assertThat(store.counters().resolve(IdempotencyToken.of(token))).isEqualTo(new Resolution.Added(name, 5));
        }
        String unknown = "~ck:a:BAAAAAAAAAAAAAAAAAAAAA@0.1700000000.5:0:5:" + name;
        assertThat(store.counters().resolve(IdempotencyToken.of(unknown)).applied())
                .isFalse();
    }

    /** A program that reads as many shards as the counter states would miss what is in the others. */
    @Test
    void aNewProcess_addsOnlyToShardsThatTheCounterHas() {
        FirestoreCounterOptions tenShards = options(10);
        for (int i = 0; i < 5; i++) {
            String counter = TestStore.name();
            try (FirestoreCounterBackend earlier = FirestoreCounterBackend.create(store.client(), tenShards)) {
                earlier.create(counter, 10).join();
                earlier.reshard(counter, 1).join();
            }
            try (FirestoreCounterBackend process = FirestoreCounterBackend.create(store.client(), tenShards)) {
                AddRequest add = new AddRequest(counter, 3, null);
                assertThat(process.counters().add(List.of(add), newCommit()).join())
                        .containsExactly(APPLIED);
            }
            assertThat(store.data(store.shard(counter, 0))).containsEntry("count", 3L);
        }
    }

    @Test
    void aCallersToken_getsADocument() {
        IdempotencyToken token = IdempotencyToken.random();
        int before = tokenDocuments();
        try (Counters counters = Counters.over(store.anotherBackend())) {
            counters.counter(name).add(5, token);
            counters.counter(name).add(5, token);
        }
        assertThat(tokenDocuments()).isEqualTo(before + 1);
        assertThat(total()).isEqualTo(7);
    }
}
