package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.SealedException;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Result;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests answers that rest on several reads, or on a read and a commit, between which another process makes changes. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OvertakenReadsTest {
    private final TestStore store = new TestStore(FirestoreCounterOptions.builder()
            .rollupCadence(Duration.ofMillis(20))
            .deadline(Duration.ofSeconds(30))
            .build());

    /** The process that is overtaken. */
    private final FirestoreCounterBackend slow = store.backend();

    private final FirestoreCounterBackend other = store.anotherBackend();
    private final String name = TestStore.name();

    @AfterEach
    void close() {
        other.close();
        store.close();
    }

    private static Commit commit() {
        return new Commit(Duration.ofSeconds(30), new Random(), CountersListener.disabled());
    }

    /** Holds a call of an operation, which is 1 for its first one, while others are carried out. */
    private <T> CompletableFuture<T> overtake(int call, Supplier<CompletableFuture<T>> operation, Runnable others) {
        try (CallFault held = store.faults().inject(StoreFault.HOLD, call)) {
            CompletableFuture<T> overtaken = operation.get();
            await().until(held::isHit);
            others.run();
            return overtaken;
        }
    }

    private static AppendRequest addition() {
        return new AppendRequest(Change.ADDED, "s", Map.of(), null);
    }

    private void importSequence() {
        slow.migration()
                .importBase(Kind.SEQUENCE, name, new ImportedState("elsewhere", true, 1, 1), commit())
                .join();
    }

    private void importSubject() {
        other.migration().importSubject(name, "s", true, commit()).join();
    }

    private void sealSequence() {
        other.sequences().seal(name, "elsewhere", commit()).join();
    }

    /**
     * The import is seen, and then no entry after it. So the addition, which was not made, is one of a live subject.
     */
    @Test
    void additionOvertakenByTheImportOfItsSubject_isRefused() {
        importSequence();
        store.counters().sequence(name).next();
        CompletableFuture<List<Result<Entry>>> late =
                overtake(2, () -> slow.sequences().append(name, List.of(addition()), commit()), () -> {
                    importSubject();
                    assertThat(other.migration().subject(name, "s", commit()).join())
                            .contains(true);
                    assertThat(other.sequences().tail(name, commit()).join().last())
                            .isEqualTo(2);
                });
        assertThat(late.join().get(0).failure()).isInstanceOf(ChangeRefusedException.class);
        assertThat(other.sequences().tail(name, commit()).join().liveCount()).isEqualTo(2);
        assertThat(other.sequences().read(name, new NumberRange(1, 9), commit()).join())
                .hasSize(1);
    }

    @Test
    void additionInATransactionOvertakenByASealAndTheImportOfItsSubject_isRefusedForTheSeal() {
        importSequence();
        // begin, the token, the tail, the subject
        CompletableFuture<?> late = overtake(
                4,
                () -> slow.transact(
                        IdempotencyToken.of(name),
                        transaction -> transaction.append(name, Change.ADDED, "s", Map.of())),
                () -> {
                    sealSequence();
                    importSubject();
                });
        assertThat(late.handle((done, failure) -> failure).join()).hasRootCauseInstanceOf(SealedException.class);
    }

    /** The counter is listed, and then deleted by another process. */
    @Test
    void rankingOvertakenByADeletion_doesNotListTheCounter() {
        for (int call = 2; call <= 3; call++) {
            String deleted = name + call;
            store.counters().counter(deleted).add(5);
            CompletableFuture<?> ranking = overtake(
                    call,
                    () -> slow.counters().top(deleted, 10, commit()),
                    () -> other.counters().delete(deleted, commit()).join());
            assertThat(ranking.join()).as("held at call %s", call).isEqualTo(List.of());
        }
    }

    /** The reply to the commit is lost, and another process changes the shard count before the next attempt. */
    @Test
    void creationWhoseShardCountWasChangedSince_isReportedAsApplied() {
        CompletableFuture<Void> creation;
        // begin, the counter, commit
        try (CallFault lost = store.faults().inject(StoreFault.LOSE_REPLY, 3)) {
            creation = overtake(
                    4, () -> slow.create(name, 3), () -> other.reshard(name, 5).join());
            assertThat(lost.isHit()).isTrue();
        }
        assertThat(creation.handle((done, failure) -> failure).join()).isNull();
        assertThat(other.describe(name).join().shardCount()).isEqualTo(5);
    }

    /** An import as absent stores no document that the first change creates too. */
    @Test
    void importAsAbsentOvertakenByTheFirstChange_findsTheNameInUse() {
        ImportedState absent = new ImportedState("elsewhere", false, 0, 0);
        for (Kind kind : Kind.values()) {
            for (boolean isSeal : List.of(false, true)) {
                String used = name + kind + isSeal;
                CompletableFuture<?> late = overtake(
                        2,
                        () -> slow.migration().importBase(kind, used, absent, commit()),
                        () -> use(kind, used, isSeal));
                assertThat(late.handle((done, failure) -> failure).join())
                        .as("%s, sealed: %s", kind, isSeal)
                        .hasRootCauseInstanceOf(NotAppliedException.class);
                assertThat(other.migration()
                                .bases(kind, List.of(used), commit())
                                .join()
                                .get(0))
                        .isEmpty();
            }
        }
    }

    private void use(Kind kind, String used, boolean isSeal) {
        if (kind == Kind.COUNTER) {
            if (isSeal) {
                other.counters().seal(used, "elsewhere", commit()).join();
            } else {
                other.counters()
                        .add(List.of(new AddRequest(used, 1, null)), commit())
                        .join();
            }
        } else if (isSeal) {
            other.sequences().seal(used, "elsewhere", commit()).join();
        } else {
            other.sequences().append(used, List.of(addition()), commit()).join();
        }
    }
}
