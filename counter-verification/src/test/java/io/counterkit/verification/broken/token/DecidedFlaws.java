package io.counterkit.verification.broken.token;

import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapters 5 and 7, continued: changes whose token was resolved before they are sent. */
public final class DecidedFlaws {
    private DecidedFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("decides about a commit of adds for one of its counters only", "2.10")
                        .batched()
                        .backend(ConcurrentHashMap::new, DecidedFlaws::byCounter),
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

    /** Keeps a decision by token and counter. */
    private static CounterBackend byCounter(CounterBackend right, Map<IdempotencyToken, Set<String>> decided) {
        return Intercepted.of(right, sent -> {
            if (sent.method().equals("CounterBackend.resolve")) {
                IdempotencyToken token = sent.argument(0);
                ChangeTarget target = sent.argument(1);
                if (target != null && target.kind() == ChangeTarget.Kind.COUNTER) {
                    decided.computeIfAbsent(token, first -> ConcurrentHashMap.newKeySet())
                            .add(target.name());
                }
            }
            return sent.method().equals("CounterStore.add")
                    ? addingOthers(right, sent.argument(0), sent.argument(1), decided)
                    : sent.pass();
        });
    }

    private static CompletableFuture<List<Result<Void>>> addingOthers(
            CounterBackend right,
            List<AddRequest> requests,
            Commit commit,
            Map<IdempotencyToken, Set<String>> decided) {
        Set<String> refused = commit.isTokenMade() ? decided.getOrDefault(commit.token(), Set.of()) : Set.of();
        List<AddRequest> others = requests.stream()
                .filter(request -> request.token() != null || !refused.contains(request.name()))
                .toList();
        if (others.size() == requests.size()) {
            return right.counters().add(requests, commit);
        }
        return right.counters()
                .add(others, Commits.another(commit))
                .thenApply(results -> requests.stream()
                        .map(request ->
                                others.contains(request) ? results.get(others.indexOf(request)) : Result.<Void>retry())
                        .toList());
    }
}
