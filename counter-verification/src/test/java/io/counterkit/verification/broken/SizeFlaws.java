package io.counterkit.verification.broken;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapters 1, 2, 5, 10 and 13, continued: limits of a thousand or fewer, and mixed batches. */
final class SizeFlaws {
    private SizeFlaws() {}

    static List<Flaw> all() {
        return List.of(
                Flaw.that("lists no more than 1,000 counters", "1.9").counters(ListsAThousand::new),
                Flaw.that("lists pages of counters by offset", "1.9").counters(ListsByCounting::new),
                Flaw.that("reads no more than 200 of many counters", "2.7").counters(ReadsTwoHundred::new),
                Flaw.that("drops the requests of a batch beyond 100", "2.7")
                        .batched(BatchLimits.ofWeight(500))
                        .counters(DropsTheRest::new),
                Flaw.that("remembers only the last 1,000 tokens", "5.20")
                        .counters(LastTokens::new, RemembersLastTokens::new),
                Flaw.that("reads no more than 500 entries", "10.18").sequences(ReadsFiveHundredEntries::new),
                Flaw.that("erases only entries in its cache", "10.18").sequences(ErasesTheLastOnes::new),
                Flaw.that("returns the states of no more than 100 names", "13.12")
                        .migration(ReturnsAHundredStates::new),
                Flaw.that("returns the results of a batch in another order", "2.5", "2.8")
                        .counters(AnswersInAnotherOrder::new),
                Flaw.that("applies a repeated request again in a batch with one without a token", "2.6", "2.8")
                        .counters(ConcurrentHashMap::<IdempotencyToken>newKeySet, AppliesAgain::new),
                Flaw.that("reports a refused token in a larger batch as applied", "2.8")
                        .counters(RefusesAlone::new),
                Flaw.that("writes only the first of two requests for one counter", "2.8")
                        .counters(WritesOnePerName::new),
                Flaw.that("resolves each append of a batch as the first", "10.19")
                        .backend(ResolvesTheFirst::new),
                Flaw.that("resolves a refused append as the last entry", "10.19")
                        .backend(ResolvesRefused::new),
                Flaw.that("checks the changes of a batch against the state before the batch", "10.8", "10.19")
                        .sequences(JudgesByBefore::new));
    }

    private static final class ListsAThousand extends ForwardingCounterStore {
        ListsAThousand(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, null, 1000, call).thenApply(first -> {
                List<String> names = first.names().stream()
                        .filter(name -> cursor == null || name.compareTo(cursor) > 0)
                        .toList();
                return names.size() <= limit
                        ? new NamePage(names, null)
                        : new NamePage(names.subList(0, limit), names.get(limit - 1));
            });
        }
    }

    private static final class ListsByCounting extends ForwardingCounterStore {
        ListsByCounting(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            int from = cursor == null ? 0 : Integer.parseInt(cursor);
            return store.names(prefix, null, 1_000_000, call).thenApply(all -> {
                int to = Math.min(from + limit, all.names().size());
                return new NamePage(
                        all.names().subList(Math.min(from, to), to),
                        to < all.names().size() ? Integer.toString(to) : null);
            });
        }
    }

    private static final class ReadsTwoHundred extends ForwardingCounterStore {
        ReadsTwoHundred(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            int asked = Math.min(200, names.size());
            return store.read(names.subList(0, asked), maxStaleness, call).thenApply(read -> {
                List<Result<Reading>> all = new ArrayList<>(read);
                all.addAll(Collections.nCopies(
                        names.size() - asked, Result.of(new Reading(0, Instant.EPOCH, Duration.ZERO))));
                return all;
            });
        }
    }

    private static final class DropsTheRest extends ForwardingCounterStore {
        DropsTheRest(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests.subList(0, Math.min(100, requests.size())), commit)
                    .thenApply(results -> {
                        List<Result<Void>> all = new ArrayList<>(results);
                        all.addAll(Collections.nCopies(requests.size() - results.size(), Result.applied()));
                        return all;
                    });
        }
    }

    private static final class LastTokens {
        private final Map<IdempotencyToken, Boolean> tokens = Collections.synchronizedMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<IdempotencyToken, Boolean> eldest) {
                return size() > 1000;
            }
        });
    }

    private static final class RemembersLastTokens extends ForwardingCounterStore {
        private final LastTokens last;

        RemembersLastTokens(CounterStore store, LastTokens last) {
            super(store);
            this.last = last;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            AddRequest add = requests.get(0);
            IdempotencyToken token = add.token();
            if (token == null) {
                return store.add(requests, commit);
            }
            return last.tokens.putIfAbsent(token, true) != null
                    ? Futures.done(List.of(Result.applied()))
                    : store.add(List.of(new AddRequest(add.name(), add.delta(), null)), commit);
        }
    }

    private static final class ReadsFiveHundredEntries extends ForwardingSequenceStore {
        ReadsFiveHundredEntries(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> entries.subList(0, Math.min(500, entries.size())));
        }
    }

    private static final class ErasesTheLastOnes extends ForwardingSequenceStore {
        ErasesTheLastOnes(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return store.tail(sequence, commit)
                    .thenCompose(tail ->
                            tail.last() - number > 1000 ? Futures.done(true) : store.erase(sequence, number, commit));
        }
    }

    private static final class ReturnsAHundredStates extends ForwardingMigrationStore {
        ReturnsAHundredStates(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
            return store.states(kind, names.subList(0, Math.min(100, names.size())), call);
        }
    }

    private static final class AnswersInAnotherOrder extends ForwardingCounterStore {
        AnswersInAnotherOrder(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit)
                    .thenApply(results -> results.stream()
                            .sorted(Comparator.comparing(Result::isApplied))
                            .toList());
        }
    }

    private static final class AppliesAgain extends ForwardingCounterStore {
        private final Set<IdempotencyToken> seen;

        AppliesAgain(CounterStore store, Set<IdempotencyToken> seen) {
            super(store);
            this.seen = seen;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            boolean isMixed = requests.stream().anyMatch(request -> request.token() == null);
            List<AddRequest> sent = new ArrayList<>();
            for (AddRequest request : requests) {
                IdempotencyToken token = request.token();
                boolean isSeen = token != null && !seen.add(token);
                sent.add(
                        isSeen && isMixed
                                ? new AddRequest(request.name(), request.delta(), IdempotencyToken.random())
                                : request);
            }
            return store.add(sent, commit);
        }
    }

    private static final class RefusesAlone extends ForwardingCounterStore {
        RefusesAlone(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit)
                    .thenApply(results -> results.stream()
                            .map(result -> results.size() > 3 && result.failure() instanceof TokenRefusedException
                                    ? Result.applied()
                                    : result)
                            .toList());
        }
    }

    /** Ignores keys that exist, as INSERT … ON CONFLICT DO NOTHING does. */
    private static final class WritesOnePerName extends ForwardingCounterStore {
        WritesOnePerName(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            Set<String> names = new HashSet<>();
            List<AddRequest> sent = requests.stream()
                    .map(request -> names.add(request.name()) || requests.size() < 4
                            ? request
                            : new AddRequest(request.name(), 0, request.token()))
                    .toList();
            return store.add(sent, commit);
        }
    }

    private static final class ResolvesTheFirst extends ForwardingCounterBackend {
        ResolvesTheFirst(CounterBackend right) {
            super(right);
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
            return backend.resolve(
                    token, origin != null && origin.isAppend() ? ChangeTarget.append(origin.name(), 0) : origin, call);
        }
    }

    private static final class ResolvesRefused extends ForwardingCounterBackend {
        ResolvesRefused(CounterBackend right) {
            super(right);
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
            return backend.resolve(token, origin, call)
                    .thenCompose(resolution -> resolution.applied() || origin == null || origin.request() < 1
                            ? Futures.done(resolution)
                            : backend.sequences()
                                    .tail(origin.name(), call)
                                    .thenApply(tail -> new Resolution.Appended(origin.name(), tail.last())));
        }
    }

    private static final class JudgesByBefore extends ForwardingSequenceStore {
        JudgesByBefore(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            Set<String> added = new HashSet<>();
            List<AppendRequest> sent = new ArrayList<>();
            List<Integer> refused = new ArrayList<>();
            for (AppendRequest request : requests) {
                if (request.subject() != null
                        && request.change() != Change.ADDED
                        && added.contains(request.subject())) {
                    refused.add(sent.size() + refused.size());
                } else {
                    sent.add(request);
                }
                if (request.subject() != null && request.change() == Change.ADDED) {
                    added.add(request.subject());
                }
            }
            return store.append(sequence, sent, commit).thenApply(results -> {
                List<Result<Entry>> all = new ArrayList<>(results);
                refused.forEach(i -> all.add(i, Result.failed(new ChangeRefusedException("it is not live"))));
                return all;
            });
        }
    }
}
