package io.counterkit.verification.broken.outcome;

import io.counterkit.Entry;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Chapter 5, continued: a second attempt that is answered while the first one is still on its way. */
public final class LateAttemptFlaws {
    /** The time after which the client gives up an attempt. */
    private static final long PATIENCE = 20;

    private LateAttemptFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("sends a reset again with another token when no reply comes", "5.22")
                        .counters(RepeatsResets::new),
                Flaw.that("sends a deletion again with another token when no reply comes", "5.22")
                        .counters(RepeatsDeletions::new),
                Flaw.that("keeps no trace of a refused append that it sends again when no reply comes", "5.22")
                        .sequences(RepeatsAppends::new));
    }

    /** Makes another attempt if the first one has no answer soon, and returns what is answered first. */
    private static <T> CompletableFuture<T> again(CompletableFuture<T> first, Supplier<CompletableFuture<T>> another) {
        CompletableFuture<T> answer = first.copy();
        CompletableFuture.delayedExecutor(PATIENCE, TimeUnit.MILLISECONDS).execute(() -> {
            if (!first.isDone()) {
                CompletableFuture<T> unused = another.get().whenComplete((value, failure) -> {
                    if (failure == null) {
                        answer.complete(value);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
            }
        });
        return answer;
    }

    private static final class RepeatsResets extends ForwardingCounterStore {
        RepeatsResets(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return again(store.reset(name, commit), () -> store.reset(name, Commits.another(commit)));
        }
    }

    private static final class RepeatsDeletions extends ForwardingCounterStore {
        RepeatsDeletions(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return again(store.delete(name, commit), () -> store.delete(name, Commits.another(commit)));
        }
    }

    private static final class RepeatsAppends extends ForwardingSequenceStore {
        RepeatsAppends(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return again(store.append(sequence, requests, commit), () -> store.append(sequence, requests, commit));
        }
    }
}
