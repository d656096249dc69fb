package io.counterkit.verification.broken.token;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
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
import io.counterkit.verification.broken.flaw.Gap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapters 2, 8 and 9, continued: where tokens hold, and what changes keep of them. */
public final class TokenScopeFlaws {
    private TokenScopeFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("checks a token under the lock of its counter only", "9.8")
                        .counters(Scope::new, LocksCounters::new),
                Flaw.that("compares versions that begin again after a deletion", "8.10")
                        .counters(ConcurrentHashMap::new, ComparesVersions::new),
                Flaw.that("forgets the decision about a commit when its counter is deleted", "8.11")
                        .backend(Forgotten::new, ForgetsDecisions::new),
                Flaw.that("forgets the commits of a counter that is deleted", "8.11")
                        .backend(Forgotten::new, ForgetsCommits::new),
                Flaw.that("reports an add in a batch as applied although its token was resolved as not applied", "2.8")
                        .batched()
                        .backend(ConcurrentHashMap::<IdempotencyToken>newKeySet, AppliesResolved::new),
                Flaw.that("reports adds with tokens as applied if their commit was resolved as not applied", "2.10")
                        .batched()
                        .backend(ConcurrentHashMap::<IdempotencyToken>newKeySet, AppliesWithResolvedCommit::new),
                Flaw.that("does not record the reset of a total of 0", "8.11").counters(ResetsNothing::new));
    }

    /** The adds of tokens, and the locks of counters. */
    private record Scope(Map<IdempotencyToken, AddRequest> tokens, Map<String, Object> locks, Gap gap) {
        Scope() {
            this(new ConcurrentHashMap<>(), new ConcurrentHashMap<>(), new Gap());
        }
    }

    private static final class LocksCounters extends ForwardingCounterStore {
        private final Scope scope;

        LocksCounters(CounterStore store, Scope scope) {
            super(store);
            this.scope = scope;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            AddRequest request = requests.get(0);
            IdempotencyToken token = request.token();
            if (token == null || requests.size() > 1) {
                return store.add(requests, commit);
            }
            synchronized (scope.locks().computeIfAbsent(request.name(), none -> new Object())) {
                boolean isUnknown = scope.tokens().get(token) == null;
                if (isUnknown) {
                    scope.gap().meet();
                }
                Result<Void> result = store.add(requests, commit).join().get(0);
                AddRequest other = scope.tokens().putIfAbsent(token, request);
                return isUnknown
                                && result.failure() instanceof TokenRefusedException
                                && other != null
                                && !other.name().equals(request.name())
                        ? store.add(
                                List.of(new AddRequest(request.name(), request.delta(), null)), Commits.another(commit))
                        : Futures.done(List.of(result));
            }
        }
    }

    private record Version(int number, int changes) {}

    private static final class ComparesVersions extends ForwardingCounterStore {
        private static final Version NONE = new Version(0, 0);

        private final Map<String, Version> versions;

        ComparesVersions(CounterStore store, Map<String, Version> versions) {
            super(store);
            this.versions = versions;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            AddRequest request = requests.get(0);
            String name = request.name();
            if (requests.size() > 1) {
                return store.add(requests, commit);
            }
            Version before = versions.getOrDefault(name, NONE);
            Call call = Commits.lasting(Duration.ofSeconds(20));
            return store.read(List.of(name), Duration.ZERO, call)
                    .thenCompose(then -> store.add(requests, commit).thenCompose(results -> {
                        Version now = versions.getOrDefault(name, NONE);
                        versions.put(name, new Version(now.number() + 1, now.changes() + 1));
                        boolean isMistaken = now.number() == before.number() && now.changes() != before.changes();
                        return !isMistaken || !then.get(0).isApplied()
                                ? Futures.done(results)
                                : overwrite(name, then.get(0).orThrow().value() + request.delta(), results);
                    }));
        }

        private CompletableFuture<List<Result<Void>>> overwrite(String name, long total, List<Result<Void>> results) {
            return store.read(List.of(name), Duration.ZERO, Commits.lasting(Duration.ofSeconds(20)))
                    .thenCompose(now -> store.add(
                            List.of(new AddRequest(
                                    name, total - now.get(0).orThrow().value(), null)),
                            Commits.lasting(Duration.ofSeconds(20))))
                    .thenApply(done -> results);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.delete(name, commit)
                    .thenRun(() ->
                            versions.computeIfPresent(name, (same, version) -> new Version(0, version.changes() + 1)));
        }
    }

    /** The commits of each counter, and those of counters that were deleted afterwards. */
    private record Forgotten(Map<IdempotencyToken, String> commits, Set<IdempotencyToken> forgotten) {
        Forgotten() {
            this(new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
        }

        void delete(String name) {
            commits.forEach((token, counter) -> {
                if (counter.equals(name)) {
                    forgotten.add(token);
                }
            });
        }
    }

    private static final class ForgetsDecisions extends ForwardingCounterBackend {
        private final Forgotten decisions;

        ForgetsDecisions(CounterBackend backend, Forgotten decisions) {
            super(
                    backend,
                    new ForwardingCounterStore(backend.counters()) {
                        @Override
                        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                            boolean isForgotten = commit.isTokenMade()
                                    && decisions.forgotten().contains(commit.token());
                            return store.add(requests, isForgotten ? Commits.another(commit) : commit);
                        }

                        @Override
                        public CompletableFuture<Void> delete(String name, Commit commit) {
                            return store.delete(name, commit).thenRun(() -> decisions.delete(name));
                        }
                    },
                    backend.sequences());
            this.decisions = decisions;
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return backend.resolve(token, target, call).thenApply(resolution -> {
                if (target != null && !resolution.applied()) {
                    decisions.commits().put(token, target.name());
                }
                return resolution;
            });
        }
    }

    private static final class ForgetsCommits extends ForwardingCounterBackend {
        private final Forgotten forgotten;

        ForgetsCommits(CounterBackend backend, Forgotten forgotten) {
            super(
                    backend,
                    new ForwardingCounterStore(backend.counters()) {
                        @Override
                        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                            if (commit.isTokenMade()) {
                                requests.forEach(request -> forgotten.commits().put(commit.token(), request.name()));
                            }
                            return store.add(requests, commit);
                        }

                        @Override
                        public CompletableFuture<Void> delete(String name, Commit commit) {
                            return store.delete(name, commit).thenRun(() -> forgotten.delete(name));
                        }
                    },
                    backend.sequences());
            this.forgotten = forgotten;
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return target != null && forgotten.forgotten().contains(token)
                    ? Futures.done(new Resolution.NotApplied())
                    : backend.resolve(token, target, call);
        }
    }

    /** Records the tokens that are resolved as not applied. */
    private static class Recording extends ForwardingCounterBackend {
        private final Set<IdempotencyToken> resolved;

        Recording(CounterBackend backend, CounterStore counters, Set<IdempotencyToken> resolved) {
            super(backend, counters, backend.sequences());
            this.resolved = resolved;
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return backend.resolve(token, target, call).thenApply(resolution -> {
                if (!resolution.applied()) {
                    resolved.add(token);
                }
                return resolution;
            });
        }
    }

    private static final class AppliesResolved extends Recording {
        AppliesResolved(CounterBackend backend, Set<IdempotencyToken> resolved) {
            super(
                    backend,
                    new ForwardingCounterStore(backend.counters()) {
                        @Override
                        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                            return store.add(requests, commit).thenApply(results -> {
                                List<Result<Void>> reported = new ArrayList<>(results);
                                for (int i = 0; i < results.size() && results.size() > 1; i++) {
                                    IdempotencyToken token = requests.get(i).token();
                                    if (token != null && resolved.contains(token)) {
                                        reported.set(i, Result.applied());
                                    }
                                }
                                return reported;
                            });
                        }
                    },
                    resolved);
        }
    }

    private static final class AppliesWithResolvedCommit extends Recording {
        AppliesWithResolvedCommit(CounterBackend backend, Set<IdempotencyToken> resolved) {
            super(
                    backend,
                    new ForwardingCounterStore(backend.counters()) {
                        @Override
                        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                            return requests.size() > 1 && commit.isTokenMade() && resolved.contains(commit.token())
                                    ? Futures.done(requests.stream()
                                            .map(request ->
                                                    request.token() == null ? Result.<Void>retry() : Result.applied())
                                            .toList())
                                    : store.add(requests, commit);
                        }
                    },
                    resolved);
        }
    }

    private static final class ResetsNothing extends ForwardingCounterStore {
        ResetsNothing(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.read(List.of(name), Duration.ZERO, Commits.lasting(Duration.ofSeconds(20)))
                    .thenCompose(totals ->
                            totals.get(0).isApplied() && totals.get(0).orThrow().value() == 0
                                    ? Futures.done(null)
                                    : store.reset(name, commit));
        }
    }
}
