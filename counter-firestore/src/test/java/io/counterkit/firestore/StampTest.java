package io.counterkit.firestore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.ServiceOptions;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.SetOptions;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.firestore.FirestoreFixture.ClientRetries;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the interleavings in which a commit with a stamp could be applied twice, be lost, or be resolved wrongly. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StampTest {
    private static final Result<Void> APPLIED = Result.applied();
    private static final Result<Void> RETRY = Result.retry();

    private final String tokens = TestStore.name();
    private final TestStore store = new TestStore(options(1), ClientRetries.NONE);
    private final FirestoreCounterBackend here = store.backend();
    private final FirestoreCounterBackend there = store.anotherBackend();
    private final String name = TestStore.name();

    private FirestoreCounterOptions options(int shards) {
        return FirestoreCounterOptions.builder()
                .writeStrategy(WriteStrategy.STAMP)
                .shards(shards)
                .tokenCollection(tokens)
                .build();
    }

    /** Leaves a counter with a total of 2, whose next add by this process is a single call. */
    @BeforeEach
    void warm() {
        add(here, newCommit(), 1);
        add(here, newCommit(), 1);
        assertThat(stamps(0)).hasSize(1);
    }

    @AfterEach
    void close() {
        there.close();
        store.close();
    }

    private static Commit newCommit() {
        return new Commit(Duration.ofSeconds(60), new SecureRandom(), CountersListener.disabled());
    }

    private CompletableFuture<List<Result<Void>>> send(CounterBackend backend, Commit commit, long delta) {
        return backend.counters().add(List.of(new AddRequest(name, delta, null)), commit);
    }

    private void add(CounterBackend backend, Commit commit, long delta) {
        assertThat(send(backend, commit, delta).join()).containsExactly(APPLIED);
    }

    private Resolution resolve(CounterBackend backend, Commit commit) {
        return backend.resolve(commit.token(), ChangeTarget.counter(name), newCommit())
                .join();
    }

    private void assertResolved(Commit commit, boolean applied) {
        for (CounterBackend backend : List.of(there, here)) {
            assertThat(resolve(backend, commit).applied()).as("applied").isEqualTo(applied);
        }
    }

    private long total() {
        return store.shards(name).values().stream()
                .mapToLong(shard -> shard.get("count") instanceof Long count ? count : 0)
                .sum();
    }

    private Map<String, Object> stamps(int shard) {
        Map<String, Object> stamps = new TreeMap<>();
        Map<String, Object> data = store.data(store.shard(name, shard));
        if (data != null && data.get("stamps") instanceof Map<?, ?> stored) {
            stored.forEach((lane, stamp) -> stamps.put(String.valueOf(lane), stamp));
        }
        return stamps;
    }

    private int tokenDocuments() {
        return store.all(tokens).size();
    }

    private static void awaitHit(CallFault fault) {
        await().until(fault::isHit);
    }

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
    void aTokenThatIsMadeBeforeThePlaceIsKnown_getsADocument() {
        int before = tokenDocuments();
        Commit commit = newCommit();
        commit.token();
        add(here, commit, 1);
        assertThat(tokenDocuments()).isEqualTo(before + 1);
        assertResolved(commit, true);
        Commit prevented = newCommit();
        assertThat(resolve(there, prevented).applied()).isFalse();
        assertThat(send(here, prevented, 1).join()).containsExactly(RETRY);
        assertThat(total()).isEqualTo(3);
    }

    @Test
    void aTokenThatIsMadeWhileTheShardIsRead_getsADocument() {
        int before = tokenDocuments();
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            sent = send(store.anotherBackend(), commit, 5);
            awaitHit(fault);
            commit.token();
        }
        assertThat(sent.join()).containsExactly(APPLIED);
        assertThat(tokenDocuments()).isEqualTo(before + 1);
        assertResolved(commit, true);
        assertThat(total()).isEqualTo(7);
    }

    @Test
    void anotherWriter_makesAStampOfALaterTime() {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        int before = tokenDocuments();
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            sent = send(here, commit, 5);
            awaitHit(fault);
            TestStore.await(store.shard(name, 0).update("count", FieldValue.increment(10)));
        }
        assertThat(sent.join()).containsExactly(APPLIED);
        assertThat(tokenDocuments()).isEqualTo(before);
        assertThat(total()).isEqualTo(17);
        assertResolved(commit, true);
    }

    @Test
    void aCommitThatIsOnItsWay_isPreventedByItsResolution() {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            sent = send(here, commit, 5);
            awaitHit(fault);
            assertResolved(commit, false);
        }
        assertThat(sent.join()).containsExactly(RETRY);
        assertThat(total()).isEqualTo(2);
        assertResolved(commit, false);
        add(here, newCommit(), 1);
        assertThat(total()).isEqualTo(3);
    }

    @Test
    void aLostResolution_isDecidedOnce() {
        for (Status.Code shown : List.of(Status.Code.UNAVAILABLE, Status.Code.ABORTED, Status.Code.INTERNAL)) {
            for (int call = 1; call <= 3; call++) {
                CounterBackend writer = store.anotherBackend();
                add(writer, newCommit(), 1);
                Commit commit = newCommit();
                CompletableFuture<List<Result<Void>>> sent;
                try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
                    sent = send(writer, commit, 5);
                    awaitHit(fault);
                    try (CallFault lost = store.faults().inject(StoreFault.LOSE_REPLY, call, shown)) {
                        assertThat(resolve(there, commit).applied()).isFalse();
                        assertThat(lost.isHit()).isTrue();
                    }
                }
                assertThat(sent.join()).containsExactly(RETRY);
            }
        }
        assertThat(total()).isEqualTo(2 + 9);
    }

    @Test
    void aTokenThatIsMadeMeanwhile_outlivesLaterCommitsOfItsProcess() {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            sent = send(here, commit, 5);
            awaitHit(fault);
            commit.token();
        }
        assertThat(sent.join()).containsExactly(APPLIED);
        add(here, newCommit(), 1);
        add(here, newCommit(), 1);
        assertThat(stamps(0)).hasSize(2);
        assertResolved(commit, true);
        assertThat(total()).isEqualTo(9);
    }

    @Test
    void aTokenThatIsMadeAfterwards_saysThatItWasApplied() {
        Commit commit = newCommit();
        add(here, commit, 5);
        add(here, newCommit(), 1);
        int calls = store.faults().calls().size();
        assertResolved(commit, true);
        assertThat(store.faults().calls()).hasSize(calls);
        assertThat(stamps(0)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"OK"})
    void aLostReply_countsOnce(Status.Code shown) {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault fault = store.faults().inject(StoreFault.LOSE_REPLY, 1, shown)) {
            sent = send(here, commit, 5);
            sent.handle((results, failure) -> results).join();
            assertThat(fault.isHit()).isTrue();
        }
        if (!sent.isCompletedExceptionally()) {
            assertThat(sent.join()).containsExactly(APPLIED);
        }
        assertResolved(commit, true);
        assertThat(total()).isEqualTo(7);
        add(here, newCommit(), 1);
        assertThat(total()).isEqualTo(8);
    }

    @Test
    void theClientsOwnRepetition_countsOnce() {
        try (TestStore retrying = new TestStore(options(1), ClientRetries.DEFAULT)) {
            add(retrying.backend(), newCommit(), 1);
            long before = total();
            try (CallFault fault = retrying.faults().inject(StoreFault.LOSE_REPLY, 1)) {
                add(retrying.backend(), newCommit(), 5);
                assertThat(fault.isHit()).isTrue();
            }
            assertThat(total()).isEqualTo(before + 5);
        }
    }

    @Test
    void anotherWriter_makesTheAddADocumentOfTheSameToken() {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        int before = tokenDocuments();
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            sent = send(here, commit, 5);
            awaitHit(fault);
            commit.token();
            TestStore.await(store.shard(name, 0).update("count", FieldValue.increment(10)));
        }
        assertThat(sent.join()).containsExactly(APPLIED);
        assertThat(tokenDocuments()).isEqualTo(before + 1);
        assertThat(total()).isEqualTo(17);
        assertResolved(commit, true);
    }

    @Test
    void anotherWriterAfterALostReply_doesNotHideTheStamp() {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        int before = tokenDocuments();
        try (CallFault lost = store.faults().inject(StoreFault.LOSE_REPLY, 1);
                CallFault again = store.faults().inject(StoreFault.HOLD, 2)) {
            sent = send(here, commit, 5);
            awaitHit(again);
            assertThat(lost.isHit()).isTrue();
            TestStore.await(store.shard(name, 0).update("count", FieldValue.increment(10)));
        }
        assertThat(sent.join()).containsExactly(APPLIED);
        assertThat(tokenDocuments()).isEqualTo(before);
        assertThat(total()).isEqualTo(17);
    }

    private enum End {
        DELETED,
        DELETED_AND_MADE_AGAIN,
        SEALED
    }

    /** Ends the life of the shard while a commit is in doubt, and returns what the total then is. */
    private long end(End end) {
        try (Counters counters = Counters.over(store.anotherBackend())) {
            switch (end) {
                case DELETED -> counters.counter(name).delete();
                case DELETED_AND_MADE_AGAIN -> {
                    counters.counter(name).delete();
                    counters.counter(name).add(100);
                }
                case SEALED -> counters.counter(name).seal("elsewhere");
            }
            return counters.counter(name).get();
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void aCommitThatWasAppliedBeforeTheShardWasDeleted_isKnown(End end) {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        long total;
        try (CallFault lost = store.faults().inject(StoreFault.LOSE_REPLY, 1);
                CallFault again = store.faults().inject(StoreFault.HOLD, 2)) {
            sent = send(here, commit, 5);
            awaitHit(again);
            assertThat(lost.isHit()).isTrue();
            commit.token();
            total = end(end);
            assertThat(resolve(there, commit).applied()).isTrue();
        }
        assertThat(sent.join()).containsExactly(APPLIED);
        assertThat(here.counters()
                        .read(List.of(name), Duration.ZERO, newCommit())
                        .join()
                        .get(0)
                        .orThrow()
                        .value())
                .isEqualTo(total);
        assertThat(total).isEqualTo(end == End.DELETED ? 0 : end == End.SEALED ? 7 : 100);
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void aCommitThatMeetsADeletedShard_isAppliedOnceOrRefused(End end) {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        long total;
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            sent = send(here, commit, 5);
            awaitHit(fault);
            total = end(end);
        }
        boolean applied = sent.join().get(0).isApplied();
        assertThat(applied).isEqualTo(end != End.SEALED);
        assertThat(here.counters()
                        .read(List.of(name), Duration.ZERO, newCommit())
                        .join()
                        .get(0)
                        .orThrow()
                        .value())
                .isEqualTo(total + (applied ? 5 : 0));
        assertResolved(commit, applied);
    }

    @Test
    void aCommitThatWasResolvedInAnEarlierLife_isNotRevived() {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            sent = send(here, commit, 5);
            awaitHit(fault);
            commit.token();
            end(End.DELETED_AND_MADE_AGAIN);
            assertThat(resolve(there, commit).applied()).isFalse();
        }
        assertThat(sent.join()).containsExactly(RETRY);
        assertThat(total()).isEqualTo(100);
    }

    @Test
    void aDelete_keepsATokenThatIsOut() {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            sent = send(here, commit, 5);
            awaitHit(fault);
            commit.token();
        }
        sent.join();
        end(End.DELETED_AND_MADE_AGAIN);
        assertResolved(commit, true);
        add(here, newCommit(), 1);
        assertResolved(commit, true);
        assertThat(total()).isEqualTo(101);
    }

    @Test
    void aReset_isExact() {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault lost = store.faults().inject(StoreFault.LOSE_REPLY, 1);
                CallFault again = store.faults().inject(StoreFault.HOLD, 2)) {
            sent = send(here, commit, 5);
            awaitHit(again);
            assertThat(lost.isHit()).isTrue();
            there.counters().reset(name, newCommit()).join();
        }
        assertThat(sent.join()).containsExactly(APPLIED);
        add(here, newCommit(), 1);
        assertThat(total()).isEqualTo(1);
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
    void aCopyOfAProcess_doesNotReplaceTheStampOfTheOther() {
        FirestoreCounterBackend copy = store.anotherBackend();
        StampClones.copyLanes(here, copy);
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault lost = store.faults().inject(StoreFault.LOSE_REPLY, 1);
                CallFault again = store.faults().inject(StoreFault.HOLD, 2)) {
            sent = send(here, commit, 5);
            awaitHit(again);
            assertThat(lost.isHit()).isTrue();
            add(copy, newCommit(), 10);
            add(copy, newCommit(), 10);
        }
        assertThat(sent.join()).containsExactly(APPLIED);
        assertThat(total()).isEqualTo(27);
        assertThat(stamps(0)).hasSize(2);
    }

    @Test
    void aLateCopy_isNotAppliedAfterTheAddsWereSentWithADocument() {
        LateCalls late = new LateCalls();
        Firestore client = FirestoreFixture.emulator()
                .connect(
                        FirestoreFixture.PROJECT,
                        settings -> settings.setRetrySettings(ServiceOptions.getNoRetrySettings()),
                        late);
        String many = TestStore.name();
        String other = TestStore.name();
        FirestoreCounterBackend writer = FirestoreCounterBackend.create(client, options(50));
        for (int i = 0; i < 2; i++) {
            writer.counters()
                    .add(List.of(new AddRequest(many, 1, null)), newCommit())
                    .join();
        }
        // With a token document, so that the stamp of the next commit is in the other counter.
        writer.counters()
                .add(List.of(new AddRequest(other, 1, IdempotencyToken.random())), newCommit())
                .join();
        there.counters().delete(other, newCommit()).join();
        late.delayNext();
        List<AddRequest> requests = List.of(new AddRequest(many, 3, null), new AddRequest(other, 4, null));
        assertThat(writer.counters().add(requests, newCommit()).join()).containsExactly(APPLIED, APPLIED);
        late.release();
        await().until(late::isQuiet);
        assertThat(late.count()).isEqualTo(1);
        for (AddRequest request : requests) {
            assertThat(there.counters()
                            .read(List.of(request.name()), Duration.ZERO, newCommit())
                            .join()
                            .get(0)
                            .orThrow()
                            .value())
                    .isEqualTo(request.name().equals(many) ? 5 : 4);
        }
        writer.close();
        client.shutdown();
    }

    @Test
    void aLateCopy_isNotAppliedAgain() {
        LateCalls late = new LateCalls();
        Firestore client = FirestoreFixture.emulator().connect(FirestoreFixture.PROJECT, settings -> settings, late);
        FirestoreCounterBackend writer = FirestoreCounterBackend.create(client, options(1));
        add(writer, newCommit(), 1);
        late.delayNext();
        add(writer, newCommit(), 5);
        late.release();
        await().until(late::isQuiet);
        assertThat(total()).isEqualTo(8);
        writer.close();
        client.shutdown();
    }

    @Test
    void stampsThatOtherSoftwareRemoved_leaveTheOutcomeUnknown() {
        CompletableFuture<List<Result<Void>>> sent;
        try (CallFault fault = store.faults().inject(StoreFault.HOLD, 1)) {
            sent = send(here, newCommit(), 5);
            awaitHit(fault);
            TestStore.await(store.shard(name, 0).set(Map.of("count", 50)));
        }
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
