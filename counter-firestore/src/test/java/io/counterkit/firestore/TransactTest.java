package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.firestore.DocumentReference;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Outcome;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.TransactionResult;
import io.counterkit.firestore.fixture.TestStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests transactions of the application: documents, adds and appends together, once for each token. */
class TransactTest extends TransactSetup {
    @Test
    void documentsAddsAndAppends_areAppliedTogether() {
        TransactionResult transacted = backend.transact(token, this::work).join();
        assertThat(transacted).isEqualTo(new TransactionResult(List.of(1L, 2L), false));
        assertDoneOnce();
        assertThat(store.counters().resolve(token)).isEqualTo(new Resolution.Committed());
    }

    @Test
    void repetitionWithTheToken_returnsTheSameNumbersAndRunsNothing() {
        backend.transact(token, this::work).join();
        assertThat(backend.transact(token, this::work).join()).isEqualTo(new TransactionResult(List.of(1L, 2L), true));
        assertThat(store.anotherBackend().transact(token, this::work).join().numbers())
                .containsExactly(1L, 2L);
        assertThat(runs).hasValue(1);
        assertDoneOnce();
    }

    @Test
    void functionThatReads_readsStoredDocuments() {
        DocumentReference stock = store.client().document(document.getPath());
        TestStore.await(document.set(Map.of("left", 3L)));
        for (int i = 0; i < 5; i++) {
            backend.transact(IdempotencyToken.of(TestStore.name()), transaction -> {
                        long left = Objects.requireNonNull(
                                transaction.transaction().get(stock).get().getLong("left"));
                        if (left > 0) {
                            transaction.transaction().update(stock, "left", left - 1);
                            transaction.add(name, 1);
                        }
                    })
                    .join();
        }
        assertThat(store.data(document)).isEqualTo(Map.of("left", 0L));
        assertThat(counter.get()).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void functionThatThrows_changesNothing(Exception failure) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, transaction -> {
                            work(transaction);
                            throw failure;
                        })
                        .join())
                .havingCause()
                .isSameAs(failure);
        assertThat(runs).hasValue(1);
        assertNothingDone();
    }

    static Stream<Exception> failures() {
        return Stream.of(
                new IOException("sold out"),
                new IllegalStateException("sold out"),
                new NotAppliedException("sold out"));
    }

    @Test
    void tokenOfSomethingElse_isRefused() {
        counter.add(1, token);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, this::work).join())
                .withCauseInstanceOf(TokenRefusedException.class)
                .withMessageContaining(token.value());
        IdempotencyToken resolved = IdempotencyToken.of(TestStore.name());
        store.counters().resolve(resolved);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(resolved, this::work).join())
                .withCauseInstanceOf(TokenRefusedException.class);
        assertThat(runs).hasValue(0);
        assertThat(counter.get()).isOne();

        IdempotencyToken mine = IdempotencyToken.of(TestStore.name());
        backend.transact(mine, transaction -> {}).join();
        assertThatExceptionOfType(TokenRefusedException.class).isThrownBy(() -> counter.add(1, mine));
        assertThatExceptionOfType(TokenRefusedException.class).isThrownBy(() -> sequence.append(Map.of(), mine));
    }

    @Test
    void tokenOfCounterKitsOwn_isRefusedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> backend.transact(IdempotencyToken.of("~ck:x"), this::work))
                .withMessageContaining("~ck:");
    }

    @Test
    void subjects_areJudgedAfterWhatTheTransactionDidBefore() {
        TransactionResult transacted = backend.transact(token, transaction -> {
                    transaction.append(name, Change.ADDED, "a", Map.of());
                    transaction.append(name, Change.UPDATED, "a", Map.of());
                    transaction.append(name, Change.ADDED, "b", Map.of());
                    transaction.append(name, Change.REMOVED, "a", Map.of());
                })
                .join();
        assertThat(transacted.numbers()).containsExactly(1L, 2L, 3L, 4L);
        assertThat(sequence.liveCount()).isOne();
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> sequence.append(Change.UPDATED, "a", Map.of()));
        sequence.append(Change.UPDATED, "b", Map.of());
    }

    @Test
    void changeThatDoesNotFit_leavesNoTrace() {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, transaction -> {
                            work(transaction);
                            transaction.append(name, Change.UPDATED, "a", Map.of());
                        })
                        .join())
                .withCauseInstanceOf(ChangeRefusedException.class);
        assertNothingDone();
    }

    @Test
    void sealedSequence_isNotAppendedTo() {
        sequence.seal("elsewhere");
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, this::work).join())
                .withCauseInstanceOf(SealedException.class);
        assertThat(counter.get()).isZero();
        assertThat(store.data(document)).isNull();
    }

    @Test
    void documentThatIsThereAlready_isReportedAsNotApplied() {
        TestStore.await(document.set(Map.of("foreign", "field")));
        assertNotApplied(transaction -> {
            runs.incrementAndGet();
            transaction.add(name, 1);
            transaction.append(name, Map.of());
            transaction.transaction().create(document, Map.of());
        });
        assertThat(store.data(document)).isEqualTo(Map.of("foreign", "field"));
        TestStore.await(document.delete());
        assertNothingDone();
    }

    @Test
    void documentThatIsNotThere_isReportedAsNotApplied() {
        assertNotApplied(transaction -> {
            work(transaction);
            transaction.transaction().update(store.raw().document("orders/not-" + name), "a", 1L);
        });
        assertNothingDone();
    }

    @Test
    void writeThatTheStoreRefuses_isReportedAsNotApplied() {
        assertNotApplied(transaction -> {
            work(transaction);
            transaction.transaction().create(document, Map.of("written", "twice"));
        });
        assertNothingDone();
    }

    private void assertNotApplied(TransactionFunction body) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, body).join())
                .havingCause()
                .isInstanceOfSatisfying(
                        NotAppliedException.class,
                        failure -> assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED));
        assertThat(runs.get()).as("runs of the body").isBetween(1, 20);
    }

    @Test
    void addAfterAnotherProcessDeletedTheCounter_makesItAgain() {
        counter.add(1);
        store.another().counter(name).delete();
        backend.transact(token, transaction -> transaction.add(name, 4)).join();
        assertThat(counter.get()).isEqualTo(4);
        assertThat(store.counters().counterNames(name).names()).containsExactly(name);
    }

    @Test
    void argumentsThatAreNone_areRefusedInTheBody() {
        assertRefused(transaction -> transaction.add("", 1));
        assertRefused(transaction -> transaction.add(name, (1L << 53) + 1));
        assertRefused(transaction -> {
            transaction.add(name, 1L << 53);
            transaction.add(name, 1);
        });
        assertRefused(transaction -> transaction.append(name, Map.of("list", List.of())));
        assertRefused(transaction -> transaction.append(name, Change.REMOVED, null, Map.of()));
        assertNothingDone();
    }

    private void assertRefused(TransactionFunction body) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> backend.transact(token, body).join())
                .withCauseInstanceOf(IllegalArgumentException.class);
    }
}
