package io.counterkit.verification.broken.outcome;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Chapters 1, 11, 12 and 13, continued: adds of 0, refused adds, and processes that were closed. */
public final class RefusalFlaws {
    private static final int MOST = 30;

    private RefusalFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("allows no more than 30 processes, closed ones included", "12.6")
                        .backend(AtomicInteger::new, RefusalFlaws::connected),
                Flaw.that("reports refused adds as late ones", "13.10")
                        .backend(ConcurrentHashMap::new, RefusalFlaws::countingRefused),
                Flaw.that("refuses with the seal and another name", "11.12", "11.13")
                        .backend(right -> Intercepted.of(right, sent -> misnaming(sent.passOn()))),
                Flaw.that("resolves the commit of a refused seal as applied", "11.12", "11.13")
                        .backend(ConcurrentHashMap::<IdempotencyToken>newKeySet, RefusalFlaws::concluding),
                Flaw.that("applies an add of 0 to a sealed counter", "11.7").counters(AddsZero::new),
                Flaw.that("applies a reset of a sealed total of 0", "11.7").counters(ResetsSealedZero::new),
                Flaw.that("does not remember the token of an add of 0", "1.2").counters(ForgetsZero::new),
                Flaw.that("creates a counter whose add is refused", "1.1").counters(CreatesRefused::new));
    }

    private static CompletableFuture<Object> misnaming(CompletableFuture<Object> answer) {
        return Futures.recover(
                        answer, SealedException.class, refusal -> CompletableFuture.failedFuture(misnamed(refusal)))
                .thenApply(right -> right instanceof List<?> results
                        ? results.stream().map(RefusalFlaws::misnamed).toList()
                        : right);
    }

    private static Object misnamed(Object result) {
        return result instanceof Result<?> known && known.failure() instanceof SealedException refusal
                ? Result.failed(misnamed(refusal))
                : result;
    }

    private static SealedException misnamed(SealedException refusal) {
        return new SealedException("another name", refusal.seal());
    }

    /** Concludes from the seal that the change with the token of a commit was the seal. */
    private static CounterBackend concluding(CounterBackend right, Set<IdempotencyToken> refused) {
        return Intercepted.of(right, call -> {
            if (call.method().endsWith(".seal")) {
                IdempotencyToken token = call.<Commit>last().token();
                return Futures.recover(call.passOn(), SealedException.class, refusal -> {
                    refused.add(token);
                    return CompletableFuture.failedFuture(refusal);
                });
            }
            return call.method().equals("CounterBackend.resolve") && refused.contains(call.<Object>argument(0))
                    ? Futures.done(
                            new Resolution.Done(call.<ChangeTarget>argument(1).name()))
                    : call.pass();
        });
    }

    private static CounterBackend connected(CounterBackend right, AtomicInteger opened) {
        boolean isRefused = opened.incrementAndGet() > MOST;
        return new ForwardingCounterBackend(
                right,
                new ForwardingCounterStore(right.counters()) {
                    @Override
                    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                        return isRefused
                                ? CompletableFuture.failedFuture(new NotAppliedException("too many connections"))
                                : store.add(requests, commit);
                    }
                },
                right.sequences());
    }

    private static CounterBackend countingRefused(CounterBackend right, Map<String, Long> refused) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                return store.add(requests, commit).thenApply(results -> {
                    for (int i = 0; i < results.size(); i++) {
                        if (results.get(i).failure() instanceof SealedException) {
                            refused.merge(
                                    requests.get(i).name(), requests.get(i).delta(), Long::sum);
                        }
                    }
                    return results;
                });
            }
        };
        MigrationStore migration = new ForwardingMigrationStore(right.migration()) {
            @Override
            public CompletableFuture<List<Long>> lateAdds(List<String> names, Call call) {
                return Futures.done(names.stream()
                        .map(name -> refused.getOrDefault(name, 0L))
                        .toList());
            }
        };
        return new WithMigration(right, counters, right.sequences(), migration);
    }

    private static final class AddsZero extends ForwardingCounterStore {
        AddsZero(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit)
                    .thenApply(results -> requests.size() == 1
                                    && requests.get(0).delta() == 0
                                    && results.get(0).failure() instanceof SealedException
                            ? List.of(Result.applied())
                            : results);
        }
    }

    private static final class ResetsSealedZero extends ForwardingCounterStore {
        ResetsSealedZero(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return Futures.recover(
                    store.reset(name, commit),
                    SealedException.class,
                    refused ->
                            refused.seal().last() == 0 ? Futures.done(null) : CompletableFuture.failedFuture(refused));
        }
    }

    private static final class ForgetsZero extends ForwardingCounterStore {
        ForgetsZero(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(
                    requests.size() == 1 && requests.get(0).delta() == 0
                            ? List.of(new AddRequest(requests.get(0).name(), 0, null))
                            : requests,
                    commit);
        }
    }

    private static final class CreatesRefused extends ForwardingCounterStore {
        CreatesRefused(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit)
                    .thenCompose(results ->
                            requests.size() == 1 && results.get(0).failure() instanceof TokenRefusedException
                                    ? store.add(
                                                    List.of(new AddRequest(
                                                            requests.get(0).name(), 0, null)),
                                                    Commits.another(commit))
                                            .thenApply(done -> results)
                                    : Futures.done(results));
        }
    }
}
