package io.counterkit.firestore.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.ServiceOptions;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.fixture.LateCalls;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a commit with a stamp counts once if its reply is lost or a copy of it is late. */
@Tag("exhaustive")
class StampLostReplyTest extends StampSetup {
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
        try (TestStore retrying = store.onTheSameDatabase(options(1), ClientRetries.DEFAULT)) {
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
                        store.project(),
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
        Firestore client = FirestoreFixture.emulator().connect(store.project(), settings -> settings, late);
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
}
