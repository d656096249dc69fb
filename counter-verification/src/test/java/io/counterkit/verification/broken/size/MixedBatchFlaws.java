package io.counterkit.verification.broken.size;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
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
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Chapters 2, 5 and 10, continued: mixed batches. */
public final class MixedBatchFlaws {
    private MixedBatchFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("returns the results of a batch in another order", "2.5", "2.8")
                        .counters(AnswersInAnotherOrder::new),
                Flaw.that("applies a repeated request again in a batch with one without a token", "2.6", "2.8")
                        .counters(ConcurrentHashMap::<IdempotencyToken>newKeySet, AppliesAgain::new),
                Flaw.that("reports a refused token in a larger batch as applied", "2.8")
                        .counters(RefusesAlone::new),
                Flaw.that("takes the token of an append for a new one in a batch of adds", "2.8")
                        .backend(ConcurrentHashMap::<IdempotencyToken>newKeySet, MixedBatchFlaws::missingAppends),
                Flaw.that("writes only the first of two requests for one counter", "2.8")
                        .counters(WritesOnePerName::new),
                Flaw.that("writes nothing if the adds of a batch cancel each other", "2.8")
                        .counters(WritesNoZero::new),
                Flaw.that("resolves each append of a batch as the first", "10.19")
                        .backend(ResolvesTheFirst::new),
                Flaw.that("resolves a refused append as the last entry", "10.19")
                        .backend(ResolvesRefused::new),
                Flaw.that("checks the changes of a batch against the state before the batch", "10.8", "10.19")
                        .sequences(JudgesByBefore::new));
    }

    private static CounterBackend missingAppends(CounterBackend right, Set<IdempotencyToken> ofAppends) {
        SequenceStore sequences = new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                requests.stream()
                        .flatMap(request -> Stream.ofNullable(request.token()))
                        .forEach(ofAppends::add);
                return store.append(sequence, requests, commit);
            }
        };
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                return requests.size() == 1
                        ? store.add(requests, commit)
                        : store.add(requests.stream().map(this::withoutConflict).toList(), commit);
            }

            private AddRequest withoutConflict(AddRequest request) {
                return request.token() != null && ofAppends.contains(request.token())
                        ? new AddRequest(request.name(), request.delta(), IdempotencyToken.random())
                        : request;
            }
        };
        return new ForwardingCounterBackend(right, counters, sequences);
    }

    private static final class WritesNoZero extends ForwardingCounterStore {
        WritesNoZero(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            boolean isNothing = requests.size() > 1
                    && requests.stream().mapToLong(AddRequest::delta).sum() == 0;
            return isNothing
                    ? Futures.done(Collections.nCopies(requests.size(), Result.applied()))
                    : store.add(requests, commit);
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
