package io.counterkit.verification.broken.token;

import io.counterkit.CounterException;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Chapters 5 and 7, continued: changes whose token was resolved before they are sent. */
public final class DecidedFlaws {
    private DecidedFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("deletes although its token was resolved as not applied", "5.17", "7.18")
                        .counters(DeletesAnyway::new),
                Flaw.that("erases although its token was resolved as not applied", "5.17", "7.18")
                        .sequences(ErasesAnyway::new),
                Flaw.that("fails without an outcome if the token was resolved before", "7.18")
                        .counters(FailsWithoutAnOutcome::new));
    }

    private static final class DeletesAnyway extends ForwardingCounterStore {
        DeletesAnyway(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.delete(name, Commits.another(commit));
        }
    }

    private static final class ErasesAnyway extends ForwardingSequenceStore {
        ErasesAnyway(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return store.erase(sequence, number, Commits.another(commit));
        }
    }

    private static final class FailsWithoutAnOutcome extends ForwardingCounterStore {
        FailsWithoutAnOutcome(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return Futures.recover(
                    store.reset(name, commit),
                    CounterException.class,
                    failure -> CompletableFuture.failedFuture(
                            String.valueOf(failure.getMessage()).contains("was resolved")
                                    ? new IllegalStateException("duplicate key", failure)
                                    : failure));
        }
    }
}
