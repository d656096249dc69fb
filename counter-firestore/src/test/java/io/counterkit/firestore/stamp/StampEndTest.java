package io.counterkit.firestore.stamp;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests commits with stamps whose shard is deleted, created again or sealed meanwhile. */
class StampEndTest extends StampSetup {
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
        AtomicLong total = new AtomicLong();
        CompletableFuture<List<Result<Void>>> sent = sendHeld(here, commit, () -> total.set(end(end)));
        boolean applied = sent.join().get(0).isApplied();
        assertThat(applied).isEqualTo(end != End.SEALED);
        assertThat(here.counters()
                        .read(List.of(name), Duration.ZERO, newCommit())
                        .join()
                        .get(0)
                        .orThrow()
                        .value())
                .isEqualTo(total.get() + (applied ? 5 : 0));
        assertResolved(commit, applied);
    }

    @Test
    void aCommitThatWasResolvedInAnEarlierLife_isNotRevived() {
        Commit commit = newCommit();
        CompletableFuture<List<Result<Void>>> sent = sendHeld(here, commit, () -> {
            commit.token();
            end(End.DELETED_AND_MADE_AGAIN);
            assertThat(resolve(there, commit).applied()).isFalse();
        });
        assertThat(sent.join()).containsExactly(RETRY);
        assertThat(total()).isEqualTo(100);
    }

    @Test
    void aDelete_keepsATokenThatIsOut() {
        Commit commit = newCommit();
        sendHeld(here, commit, commit::token).join();
        end(End.DELETED_AND_MADE_AGAIN);
        assertResolved(commit, true);
        add(here, newCommit(), 1);
        assertResolved(commit, true);
        assertThat(total()).isEqualTo(101);
    }
}
