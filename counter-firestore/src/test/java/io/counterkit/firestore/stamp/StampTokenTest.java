package io.counterkit.firestore.stamp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.FieldValue;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests tokens that are made or resolved before, while and after their commit with a stamp is applied. */
class StampTokenTest extends StampSetup {
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
        assertThat(sendHeld(store.anotherBackend(), commit, commit::token).join())
                .containsExactly(APPLIED);
        assertThat(tokenDocuments()).isEqualTo(before + 1);
        assertResolved(commit, true);
        assertThat(total()).isEqualTo(7);
    }

    @Test
    void aCommitThatIsOnItsWay_isPreventedByItsResolution() {
        Commit commit = newCommit();
        assertThat(sendHeld(here, commit, () -> assertResolved(commit, false)).join())
                .containsExactly(RETRY);
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
                int lostCall = call;
                CompletableFuture<List<Result<Void>>> sent = sendHeld(writer, commit, () -> {
                    try (CallFault lost = store.faults().inject(StoreFault.LOSE_REPLY, lostCall, shown)) {
                        assertThat(resolve(there, commit).applied()).isFalse();
                        assertThat(lost.isHit()).isTrue();
                    }
                });
                assertThat(sent.join()).containsExactly(RETRY);
            }
        }
        assertThat(total()).isEqualTo(2 + 9);
    }

    @Test
    void aTokenThatIsMadeMeanwhile_outlivesLaterCommitsOfItsProcess() {
        Commit commit = newCommit();
        assertThat(sendHeld(here, commit, commit::token).join()).containsExactly(APPLIED);
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

    @Test
    void anotherWriter_makesTheAddADocumentOfTheSameToken() {
        Commit commit = newCommit();
        int before = tokenDocuments();
        CompletableFuture<List<Result<Void>>> sent = sendHeld(here, commit, () -> {
            commit.token();
            TestStore.await(store.shard(name, 0).update("count", FieldValue.increment(10)));
        });
        assertThat(sent.join()).containsExactly(APPLIED);
        assertThat(tokenDocuments()).isEqualTo(before + 1);
        assertThat(total()).isEqualTo(17);
        assertResolved(commit, true);
    }
}
