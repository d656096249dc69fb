package io.counterkit.verification.broken.token;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Gap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapter 5: exactly once. These backends receive no batches. */
public final class TokenFlaws {
    private TokenFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("keeps tokens in the process", "5.1", "12.1").counters(RemembersInTheProcess::new),
                Flaw.that("checks a token in a separate step before it adds", "5.2")
                        .counters(Seen::new, LooksAndApplies::new),
                Flaw.that("does not compare the change of a used token", "2.5", "5.3", "5.9")
                        .counters(DoesNotCompare::new),
                Flaw.that("sends an add again when the reply is lost", "5.4", "5.6", "5.7", "7.1")
                        .counters(SendsAgain::new),
                Flaw.that("writes a caller's token after the add", "5.5").counters(Seen::new, WritesTheTokenLater::new),
                Flaw.that("stores no token for the commit of an add", "5.4", "5.6", "7.1")
                        .counters(AddsWithoutMarker::new),
                Flaw.that("records that a token was applied, but not its change", "5.8")
                        .backend(ForgetsWhatItWas::new),
                Flaw.that("resolves a token without recording the decision", "5.9", "5.10", "5.11", "8.8", "12.5")
                        .backend(ConcurrentHashMap::new, TokenFlaws::withoutDeciding),
                Flaw.that("keeps tokens inside the counter", "5.12")
                        .counters(ConcurrentHashMap::new, KeepsTokensInTheCounter::new),
                Flaw.that("appends again under a used token", "5.3", "5.13", "11.5")
                        .sequences(AppendsAgain::new),
                Flaw.that("returns the new fields of a repeated append", "5.13").sequences(AnswersWhatItWasSent::new),
                Flaw.that("stores no token for the commit of an append", "5.14", "7.4")
                        .sequences(AppendsWithoutMarker::new));
    }

    private static List<AddRequest> withoutToken(AddRequest add) {
        return List.of(new AddRequest(add.name(), add.delta(), null));
    }

    /** The used tokens of callers, and the gap between the check and the change. */
    private record Seen(Set<IdempotencyToken> tokens, Gap gap) {
        Seen() {
            this(ConcurrentHashMap.newKeySet(), new Gap());
        }
    }

    private static final class RemembersInTheProcess extends ForwardingCounterStore {
        private final Set<IdempotencyToken> seen = ConcurrentHashMap.newKeySet();

        RemembersInTheProcess(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            IdempotencyToken token = requests.get(0).token();
            return token == null || seen.add(token)
                    ? store.add(withoutToken(requests.get(0)), commit)
                    : Futures.done(List.of(Result.applied()));
        }
    }

    private static final class LooksAndApplies extends ForwardingCounterStore {
        private final Seen seen;

        LooksAndApplies(CounterStore store, Seen seen) {
            super(store);
            this.seen = seen;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            IdempotencyToken token = requests.get(0).token();
            if (token != null && seen.tokens().contains(token)) {
                return Futures.done(List.of(Result.applied()));
            }
            seen.gap().meet();
            if (token != null) {
                seen.tokens().add(token);
            }
            return store.add(withoutToken(requests.get(0)), commit);
        }
    }

    private static final class DoesNotCompare extends ForwardingCounterStore {
        DoesNotCompare(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit)
                    .thenApply(results -> results.stream()
                            .map(result ->
                                    result.failure() instanceof TokenRefusedException ? Result.applied() : result)
                            .toList());
        }
    }

    private static final class SendsAgain extends ForwardingCounterStore {
        SendsAgain(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return Futures.recover(
                    store.add(requests, commit),
                    OutcomeUnknownException.class,
                    lost -> store.add(requests, Commits.another(commit)));
        }
    }

    private static final class WritesTheTokenLater extends ForwardingCounterStore {
        private final Seen seen;

        WritesTheTokenLater(CounterStore store, Seen seen) {
            super(store);
            this.seen = seen;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            IdempotencyToken token = requests.get(0).token();
            if (token == null) {
                return store.add(requests, commit);
            }
            return seen.tokens().contains(token)
                    ? Futures.done(List.of(Result.applied()))
                    : store.add(withoutToken(requests.get(0)), commit).whenComplete((results, failure) -> {
                        if (failure == null) {
                            seen.tokens().add(token);
                        }
                    });
        }
    }

    private static final class AddsWithoutMarker extends ForwardingCounterStore {
        AddsWithoutMarker(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, Commits.another(commit));
        }
    }

    private static final class ForgetsWhatItWas extends ForwardingCounterBackend {
        ForgetsWhatItWas(CounterBackend right) {
            super(right);
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
            return backend.resolve(token, origin, call)
                    .thenApply(resolution -> resolution instanceof Resolution.Added added
                            ? new Resolution.Done(added.counter())
                            : resolution);
        }
    }

    private static CounterBackend withoutDeciding(CounterBackend right, Map<IdempotencyToken, Resolution> applied) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                AddRequest add = requests.get(0);
                IdempotencyToken token = add.token() == null ? commit.token() : add.token();
                return store.add(requests, commit).thenApply(results -> {
                    applied.put(token, new Resolution.Added(add.name(), add.delta()));
                    return results;
                });
            }

            @Override
            public CompletableFuture<Void> reset(String name, Commit commit) {
                return store.reset(name, commit)
                        .thenAccept(done -> applied.put(commit.token(), new Resolution.Done(name)));
            }
        };
        SequenceStore sequences = new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                return store.append(sequence, requests, commit).thenApply(results -> {
                    long number = results.get(0).orThrow().number();
                    applied.put(commit.token(), new Resolution.Appended(sequence, number));
                    return results;
                });
            }
        };
        return new ForwardingCounterBackend(right, counters, sequences) {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
                return Futures.done(applied.getOrDefault(token, new Resolution.NotApplied()));
            }
        };
    }

    /** Forgets the tokens of a counter that is reset or deleted. */
    private static final class KeepsTokensInTheCounter extends ForwardingCounterStore {
        private final Map<String, Integer> lives;

        KeepsTokensInTheCounter(CounterStore store, Map<String, Integer> lives) {
            super(store);
            this.lives = lives;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            AddRequest add = requests.get(0);
            IdempotencyToken token = add.token() == null
                    ? null
                    : IdempotencyToken.of(add.token() + " " + lives.getOrDefault(add.name(), 1));
            return store.add(List.of(new AddRequest(add.name(), add.delta(), token)), commit);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            lives.merge(name, 2, Integer::sum);
            return store.delete(name, commit);
        }
    }

    private static final class AppendsAgain extends ForwardingSequenceStore {
        AppendsAgain(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            List<AppendRequest> untold = new ArrayList<>();
            requests.forEach(request ->
                    untold.add(new AppendRequest(request.change(), request.subject(), request.fields(), null)));
            return store.append(sequence, untold, commit);
        }
    }

    private static final class AnswersWhatItWasSent extends ForwardingSequenceStore {
        AnswersWhatItWasSent(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).thenApply(results -> {
                Entry entry = results.get(0).orThrow();
                return List.of(Result.of(new Entry(
                        entry.number(),
                        entry.appendedAt(),
                        entry.change(),
                        entry.subject(),
                        requests.get(0).fields(),
                        entry.liveCount(),
                        entry.erased())));
            });
        }
    }

    private static final class AppendsWithoutMarker extends ForwardingSequenceStore {
        AppendsWithoutMarker(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, Commits.another(commit));
        }
    }
}
