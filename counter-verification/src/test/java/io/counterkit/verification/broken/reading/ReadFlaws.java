package io.counterkit.verification.broken.reading;

import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Gap;
import io.counterkit.verification.broken.flaw.Joined;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Chapters 3 and 6: reading, consistency and range. */
public final class ReadFlaws {
    private ReadFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("caches a total in the process until that process adds", "3.1")
                        .counters(CachesStrongReads::new),
                Flaw.that("reads a replica that is one add behind", "3.1", "3.2", "3.5")
                        .counters(ConcurrentHashMap::new, ReadsAReplica::new),
                Flaw.that("writes an add in two halves", "3.3").counters(Gap::new, AddsInTwoHalves::new),
                Flaw.that("returns cached totals that are older than allowed", "3.4")
                        .counters(store -> new Read(store, ReadFlaws::olderThanAllowed)),
                Flaw.that("returns a cached total for a strong read", "3.5").counters(TakesTheCacheForStrongReads::new),
                Flaw.that("returns the totals of many names in another order", "3.6")
                        .counters(AnswersBackwards::new),
                Flaw.that("fails a read of many names because of one of them", "3.7")
                        .counters(FailsAllReadsForOne::new),
                Flaw.that("reads 0 if no counter can be read", "3.15", "6.2", "6.3")
                        .counters(ReadsZeroForAll::new),
                Flaw.that("lists the largest totals smallest first", "3.8").counters(ListsTheSmallest::new),
                Flaw.that("lists no largest totals", "3.8").counters(ListsNothing::new),
                Flaw.that("sums totals in floating point", "6.1")
                        .counters(store -> new Read(store, result -> changed(result, (long) (double) value(result)))),
                Flaw.that("wraps a total beyond the range", "6.2", "6.3").counters(ConcurrentHashMap::new, Wraps::new),
                Flaw.that("needs the total for a reset", "6.4").counters(NeedsTheTotalForAReset::new),
                Flaw.that("needs the total for a deletion", "6.5").counters(NeedsTheTotalForADeletion::new));
    }

    private static long value(Result<Reading> result) {
        return result.orThrow().value();
    }

    public static Result<Reading> changed(Result<Reading> result, long value) {
        Reading reading = result.orThrow();
        return Result.of(new Reading(value, reading.asOf(), reading.staleness()));
    }

    private static Result<Reading> olderThanAllowed(Result<Reading> result) {
        Reading reading = result.orThrow();
        Duration age = Duration.ofHours(1);
        return Result.of(new Reading(reading.value(), reading.asOf().minus(age), age));
    }

    /** Changes each total that is read. */
    private static final class Read extends ForwardingCounterStore {
        private final UnaryOperator<Result<Reading>> change;

        Read(CounterStore store, UnaryOperator<Result<Reading>> change) {
            super(store);
            this.change = change;
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call)
                    .thenApply(results -> results.stream().map(change).toList());
        }
    }

    private static class CachesStrongReads extends ForwardingCounterStore {
        final Map<List<String>, List<Result<Reading>>> cache = new ConcurrentHashMap<>();

        CachesStrongReads(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            cache.clear();
            return store.add(requests, commit);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return Futures.done(cache.computeIfAbsent(
                    names, unread -> store.read(names, maxStaleness, call).join()));
        }
    }

    private static final class TakesTheCacheForStrongReads extends CachesStrongReads {
        TakesTheCacheForStrongReads(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return maxStaleness.isZero() && !cache.containsKey(names)
                    ? store.read(names, maxStaleness, call)
                    : super.read(names, maxStaleness, call);
        }
    }

    private static final class ReadsAReplica extends ForwardingCounterStore {
        private final Map<String, Long> lastDeltas;

        ReadsAReplica(CounterStore store, Map<String, Long> lastDeltas) {
            super(store);
            this.lastDeltas = lastDeltas;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.forEach(request -> lastDeltas.put(request.name(), request.delta()));
            return store.add(requests, commit);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call)
                    .thenApply(results -> Joined.of(
                            names,
                            results,
                            (name, result) -> changed(result, value(result) - lastDeltas.getOrDefault(name, 0L))));
        }
    }

    private static final class AddsInTwoHalves extends ForwardingCounterStore {
        private final Gap gap;

        AddsInTwoHalves(CounterStore store, Gap gap) {
            super(store);
            this.gap = gap;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            AddRequest add = requests.get(0);
            long half = add.delta() / 2;
            return store.add(List.of(new AddRequest(add.name(), half, null)), Commits.another(commit))
                    .thenCompose(halfDone -> {
                        gap.await(2);
                        return store.add(List.of(new AddRequest(add.name(), add.delta() - half, add.token())), commit);
                    });
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call).whenComplete((results, failure) -> gap.pass());
        }
    }

    private static final class AnswersBackwards extends ForwardingCounterStore {
        AnswersBackwards(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call).thenApply(results -> {
                List<Result<Reading>> backwards = new ArrayList<>(results);
                Collections.reverse(backwards);
                return backwards;
            });
        }
    }

    private static final class FailsAllReadsForOne extends ForwardingCounterStore {
        FailsAllReadsForOne(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call)
                    .whenComplete((results, failure) -> results.forEach(Result::orThrow));
        }
    }

    private static final class ReadsZeroForAll extends ForwardingCounterStore {
        ReadsZeroForAll(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call)
                    .thenApply(results -> results.stream().noneMatch(Result::isApplied)
                            ? Collections.nCopies(names.size(), Result.of(new Reading(0, Instant.EPOCH, Duration.ZERO)))
                            : results);
        }
    }

    private static final class ListsTheSmallest extends ForwardingCounterStore {
        ListsTheSmallest(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return store.top(prefix, 1000, call)
                    .thenApply(all -> all.stream()
                            .sorted(Comparator.comparingLong(
                                    named -> named.reading().value()))
                            .limit(limit)
                            .toList());
        }
    }

    private static final class ListsNothing extends ForwardingCounterStore {
        ListsNothing(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return Futures.done(List.of());
        }
    }

    /** Stores totals in 63 bits and ignores the carry. */
    private static final class Wraps extends ForwardingCounterStore {
        private final Map<String, Long> totals;

        Wraps(CounterStore store, Map<String, Long> totals) {
            super(store);
            this.totals = totals;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.forEach(request ->
                    totals.merge(request.name(), request.delta(), (total, delta) -> (total + delta) << 1 >> 1));
            return store.add(requests, commit);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return Futures.done(names.stream()
                    .map(name -> Result.of(new Reading(totals.getOrDefault(name, 0L), Instant.EPOCH, Duration.ZERO)))
                    .toList());
        }
    }

    private static CompletableFuture<?> total(CounterStore store, String name, Commit commit) {
        return store.read(List.of(name), Duration.ZERO, commit)
                .thenApply(results -> results.get(0).orThrow());
    }

    private static final class NeedsTheTotalForAReset extends ForwardingCounterStore {
        NeedsTheTotalForAReset(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return total(store, name, commit).thenCompose(read -> store.reset(name, commit));
        }
    }

    private static final class NeedsTheTotalForADeletion extends ForwardingCounterStore {
        NeedsTheTotalForADeletion(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return total(store, name, commit).thenCompose(read -> store.delete(name, commit));
        }
    }
}
