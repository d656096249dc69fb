package io.counterkit.verification.broken.token;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapters 8 and 11, continued: outcomes that are concluded from something other than the stored token. */
public final class ConcludedFlaws {
    private ConcludedFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("resolves a reset or a deletion as applied if the total is 0", "8.8")
                        .backend(ConcurrentHashMap::<IdempotencyToken>newKeySet, ConcludedFlaws::concludingFromZero),
                Flaw.that("records the commit of adds of which a seal refuses one", "11.13")
                        .batched()
                        .backend(ConcurrentHashMap::<IdempotencyToken>newKeySet, ConcludedFlaws::recordingRefused),
                Flaw.that("remembers in a process that the token of an add is unused that a seal has refused", "11.13")
                        .counters(RemembersRefusals::new));
    }

    private static final class RemembersRefusals extends ForwardingCounterStore {
        private final Set<IdempotencyToken> unused = ConcurrentHashMap.newKeySet();

        RemembersRefusals(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            List<AddRequest> sent = requests.stream().map(this::withoutLookup).toList();
            return store.add(sent, commit).thenApply(results -> {
                for (int i = 0; i < requests.size(); i++) {
                    IdempotencyToken token = requests.get(i).token();
                    if (token != null && results.get(i).failure() instanceof SealedException) {
                        unused.add(token);
                    }
                }
                return results;
            });
        }

        private AddRequest withoutLookup(AddRequest request) {
            return request.token() != null && unused.contains(request.token())
                    ? new AddRequest(request.name(), request.delta(), IdempotencyToken.random())
                    : request;
        }
    }

    private static CounterBackend concludingFromZero(CounterBackend right, Set<IdempotencyToken> clearing) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<Void> reset(String name, Commit commit) {
                clearing.add(commit.token());
                return store.reset(name, commit);
            }

            @Override
            public CompletableFuture<Void> delete(String name, Commit commit) {
                clearing.add(commit.token());
                return store.delete(name, commit);
            }
        };
        return new ForwardingCounterBackend(right, counters, right.sequences()) {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
                if (target == null || !clearing.contains(token)) {
                    return backend.resolve(token, target, call);
                }
                return right.counters()
                        .read(List.of(target.name()), Duration.ZERO, Commits.own())
                        .thenCompose(totals -> totals.get(0).isApplied()
                                        && totals.get(0).orThrow().value() == 0
                                ? Futures.done(new Resolution.Done(target.name()))
                                : backend.resolve(token, target, call));
            }
        };
    }

    private static CounterBackend recordingRefused(CounterBackend right, Set<IdempotencyToken> recorded) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                return store.add(requests, commit).thenApply(results -> {
                    if (results.stream().anyMatch(Result::isRetry)
                            && results.stream().anyMatch(result -> result.failure() != null)) {
                        recorded.add(commit.token());
                    }
                    return results;
                });
            }
        };
        return new ForwardingCounterBackend(right, counters, right.sequences()) {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
                return target != null && recorded.contains(token)
                        ? Futures.done(new Resolution.Done(target.name()))
                        : backend.resolve(token, target, call);
            }
        };
    }
}
