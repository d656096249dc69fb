package io.counterkit.verification.broken.outcome;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Chapter 7, continued: what a process remembers of a change before the store has it, or finds out by reading. */
public final class UnstoredFlaws {
    private UnstoredFlaws() {}

    public static List<Flaw> all() {
        List<Flaw> flaws = new ArrayList<>(PartedBatchFlaws.all());
        flaws.addAll(List.of(
                Flaw.that("remembers in a process that a token was used before its add is stored", "7.11")
                        .counters(RemembersTokens::new),
                Flaw.that("remembers in a process that a subject is live before its entry is stored", "7.11")
                        .sequences(RemembersSubjects::new),
                Flaw.that("remembers a seal in a process before it is stored", "14.1")
                        .counters(RemembersSeals::new),
                Flaw.that("adds to a total in its cache before the add is stored", "14.1")
                        .counters(AddsToItsCache::new),
                Flaw.that("answers a token again as the first time, even with a failure", "7.20")
                        .counters(RemembersAnswers::new),
                Flaw.that("reads the total to see whether an add without a reply was applied", "5.17")
                        .counters(LooksAtTheTotal::new)));
        return flaws;
    }

    private static final class RemembersTokens extends ForwardingCounterStore {
        private final Set<IdempotencyToken> used = ConcurrentHashMap.newKeySet();

        RemembersTokens(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            IdempotencyToken token = requests.get(0).token();
            return requests.size() == 1 && token != null && !used.add(token)
                    ? Futures.done(List.of(Result.applied()))
                    : store.add(requests, commit);
        }
    }

    private static final class RemembersSubjects extends ForwardingSequenceStore {
        private final Set<String> live = ConcurrentHashMap.newKeySet();

        RemembersSubjects(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            AppendRequest first = requests.get(0);
            String key = sequence + " " + first.subject();
            if (first.change() == Change.REMOVED) {
                live.remove(key);
            }
            return requests.size() == 1
                            && first.change() == Change.ADDED
                            && first.subject() != null
                            && first.token() == null
                            && !live.add(key)
                    ? Futures.done(List.of(Result.failed(new ChangeRefusedException("the subject is live already"))))
                    : store.append(sequence, requests, commit);
        }
    }

    private static final class RemembersSeals extends ForwardingCounterStore {
        private final Map<String, Seal> seals = new ConcurrentHashMap<>();

        RemembersSeals(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            seals.put(name, new Seal(forward, 0, 0));
            return store.seal(name, forward, commit);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            Seal seal = seals.get(name);
            return seal != null
                    ? CompletableFuture.failedFuture(new SealedException(name, seal))
                    : store.reset(name, commit);
        }
    }

    private static final class AddsToItsCache extends ForwardingCounterStore {
        private record Cached(long at, long value) {}

        private final Map<String, Cached> cache = new ConcurrentHashMap<>();

        AddsToItsCache(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            for (AddRequest request : requests) {
                cache.computeIfPresent(
                        request.name(),
                        (name, cached) -> request.token() != null
                                ? null
                                : new Cached(cached.at(), cached.value() + request.delta()));
            }
            return store.add(requests, commit);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            long now = System.nanoTime();
            Cached cached = names.size() == 1 ? cache.get(names.get(0)) : null;
            if (cached != null && maxStaleness.compareTo(Duration.ofNanos(now - cached.at())) > 0) {
                return Futures.done(List.of(
                        Result.of(new Reading(cached.value(), Instant.now(), Duration.ofNanos(now - cached.at())))));
            }
            return store.read(names, maxStaleness, call).thenApply(results -> {
                if (names.size() == 1 && results.get(0).isApplied()) {
                    cache.put(
                            names.get(0),
                            new Cached(now, results.get(0).orThrow().value()));
                }
                return results;
            });
        }
    }

    private static final class RemembersAnswers extends ForwardingCounterStore {
        private final Map<AddRequest, CompletableFuture<List<Result<Void>>>> answers = new ConcurrentHashMap<>();

        RemembersAnswers(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return requests.size() == 1 && requests.get(0).token() != null
                    ? answers.computeIfAbsent(requests.get(0), first -> store.add(requests, commit))
                    : store.add(requests, commit);
        }
    }

    private static final class LooksAtTheTotal extends ForwardingCounterStore {
        private static final Duration SOON = Duration.ofMillis(60);

        LooksAtTheTotal(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            AddRequest first = requests.get(0);
            if (requests.size() > 1 || first.token() != null) {
                return store.add(requests, commit);
            }
            return total(first, commit)
                    .thenCompose(before -> store.add(requests, commit)
                            .copy()
                            .orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
                            .exceptionallyCompose(failure -> isOpen(failure)
                                    ? total(first, commit)
                                            .thenApply(after -> List.of(
                                                    after.equals(before)
                                                            ? Result.failed(new NotAppliedException(
                                                                    "the total is as before", failure))
                                                            : Result.applied()))
                                    : CompletableFuture.failedFuture(failure)));
        }

        private static boolean isOpen(Throwable failure) {
            Throwable cause = io.counterkit.spi.Futures.unwrap(failure);
            return cause instanceof OutcomeUnknownException || cause instanceof TimeoutException;
        }

        private CompletableFuture<Long> total(AddRequest request, Commit commit) {
            return store.read(List.of(request.name()), Duration.ZERO, commit)
                    .thenApply(totals ->
                            totals.get(0).isApplied() ? totals.get(0).orThrow().value() : 0);
        }
    }
}
