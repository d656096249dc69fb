package io.counterkit.verification.broken.counter;

import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Gap;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Chapters 2 and 4: adding, alone and among others. */
public final class AddFlaws {
    private AddFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("ignores the signs of deltas", "2.1", "4.3")
                        .counters(store -> new Changed(
                                store, add -> new AddRequest(add.name(), Math.abs(add.delta()), add.token()))),
                Flaw.that("applies an add on the fast path and again on the slow path", "2.1", "4.1")
                        .counters(TakesBothWays::new),
                Flaw.that("converts merged deltas to floating point", "2.3")
                        .batched()
                        .counters(store -> new Changed(
                                store, add -> new AddRequest(add.name(), (long) (float) add.delta(), add.token()))),
                Flaw.that("writes a whole batch to its first counter", "2.4", "4.3")
                        .batched()
                        .counters(WritesAllToTheFirst::new),
                Flaw.that("fails a whole batch because of one refused request", "2.5")
                        .counters(FailsAllForOne::new),
                Flaw.that("reports a whole batch as applied because of one applied token", "2.6")
                        .counters(ConcurrentHashMap::<IdempotencyToken>newKeySet, TakesAllForApplied::new),
                Flaw.that("loses one of 1,000 adds", "4.1").counters(AtomicInteger::new, LosesOneOfAThousand::new),
                Flaw.that("reads a total and writes the sum in a second step", "4.1", "4.2")
                        .counters(Gap::new, ReadsAndSets::new),
                Flaw.that("overwrites a counter on a first add", "4.2").counters(Gap::new, SetsOnFirstAdd::new));
    }

    private static final class Changed extends ForwardingCounterStore {
        private final UnaryOperator<AddRequest> change;

        Changed(CounterStore store, UnaryOperator<AddRequest> change) {
            super(store);
            this.change = change;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests.stream().map(change).toList(), commit);
        }
    }

    private static final class TakesBothWays extends ForwardingCounterStore {
        TakesBothWays(CounterStore store) {
            super(store);
        }

        @Override
        public FastPath fastPath(String name) {
            return delta -> store.add(
                            List.of(new AddRequest(name, delta, null)), Commits.lasting(Duration.ofSeconds(20)))
                    .isCancelled();
        }
    }

    private static final class WritesAllToTheFirst extends ForwardingCounterStore {
        WritesAllToTheFirst(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            String first = requests.get(0).name();
            return store.add(
                    requests.stream()
                            .map(request -> new AddRequest(first, request.delta(), request.token()))
                            .toList(),
                    commit);
        }
    }

    private static final class FailsAllForOne extends ForwardingCounterStore {
        FailsAllForOne(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit)
                    .thenApply(results -> results.stream()
                            .map(Result::failure)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .map(failure -> failed(failure, results.size()))
                            .orElse(results));
        }

        private static List<Result<Void>> failed(CounterException failure, int count) {
            return Collections.nCopies(count, Result.failed(failure));
        }
    }

    /** Treats an existing token as proof that the whole batch was applied. */
    private static final class TakesAllForApplied extends ForwardingCounterStore {
        private final Set<IdempotencyToken> seen;

        TakesAllForApplied(CounterStore store, Set<IdempotencyToken> seen) {
            super(store);
            this.seen = seen;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            List<IdempotencyToken> tokens = requests.stream()
                    .map(AddRequest::token)
                    .filter(Objects::nonNull)
                    .toList();
            if (!Collections.disjoint(seen, tokens)) {
                return Futures.done(Collections.nCopies(requests.size(), Result.applied()));
            }
            seen.addAll(tokens);
            return store.add(requests, commit);
        }
    }

    private static final class LosesOneOfAThousand extends ForwardingCounterStore {
        private final AtomicInteger adds;

        LosesOneOfAThousand(CounterStore store, AtomicInteger adds) {
            super(store);
            this.adds = adds;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return adds.incrementAndGet() % 1000 == 0
                    ? Futures.done(Collections.nCopies(requests.size(), Result.applied()))
                    : store.add(requests, commit);
        }
    }

    private static class ReadsAndSets extends ForwardingCounterStore {
        private final Gap gap;

        ReadsAndSets(CounterStore store, Gap gap) {
            super(store);
            this.gap = gap;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            AddRequest add = requests.get(0);
            return total(add, commit).thenCompose(seen -> {
                if (!overwrites(seen)) {
                    return store.add(requests, commit);
                }
                gap.meet();
                return total(add, commit)
                        .thenCompose(now -> store.add(
                                List.of(new AddRequest(add.name(), seen + add.delta() - now, add.token())), commit));
            });
        }

        /** Returns whether an add overwrites this total. */
        boolean overwrites(long total) {
            return true;
        }

        private CompletableFuture<Long> total(AddRequest add, Commit commit) {
            return store.read(List.of(add.name()), Duration.ZERO, commit)
                    .thenApply(results -> results.get(0).orThrow())
                    .thenApply(Reading::value);
        }
    }

    private static final class SetsOnFirstAdd extends ReadsAndSets {
        SetsOnFirstAdd(CounterStore store, Gap gap) {
            super(store, gap);
        }

        @Override
        boolean overwrites(long total) {
            return total == 0;
        }
    }
}
