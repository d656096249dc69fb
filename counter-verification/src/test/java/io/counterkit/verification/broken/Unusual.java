package io.counterkit.verification.broken;

import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.CachesBoundedReads;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Backends that are correct, but use what the contract leaves to them. */
final class Unusual {
    private Unusual() {}

    static List<Flaw> all() {
        return List.of(
                Flaw.that("has no flaw and receives batches of one")
                        .batched(BatchLimits.ofWeight(1))
                        .backend(ForwardingCounterBackend::new),
                Flaw.that("has no flaw and lists names backwards in short pages")
                        .counters(ListsBackwards::new),
                Flaw.that("has no flaw and caches totals for reads with a staleness bound")
                        .counters(store -> new CachesBoundedReads(store, UnaryOperator.identity())),
                Flaw.that("has no flaw and decides the first add of a batch only, if that has a token")
                        .batched()
                        .counters(DecidesFirst::new),
                Flaw.that("has no flaw and repeats all requests of a commit that was resolved")
                        .batched()
                        .backend(
                                ConcurrentHashMap::<IdempotencyToken>newKeySet,
                                (right, resolved) -> new RepeatsResolved(right, resolved)));
    }

    private static final class ListsBackwards extends ForwardingCounterStore {
        private static final int ALL = 1_000_000;
        private static final String START = "start";

        ListsBackwards(CounterStore store) {
            super(store);
        }

        /** The first page is empty, and each further one has half the names that it may have. */
        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            if (cursor == null) {
                return Futures.done(new NamePage(List.of(), START));
            }
            return store.names(prefix, null, ALL, call).thenApply(all -> {
                List<String> found = all.names().stream()
                        .sorted(Comparator.reverseOrder())
                        .filter(name -> cursor.equals(START) || name.compareTo(cursor) < 0)
                        .toList();
                int size = (limit + 1) / 2;
                return found.size() <= size
                        ? new NamePage(found, null)
                        : new NamePage(found.subList(0, size), found.get(size - 1));
            });
        }
    }

    private static final class DecidesFirst extends ForwardingCounterStore {
        DecidesFirst(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            if (requests.get(0).token() == null) {
                return store.add(requests, commit);
            }
            return store.add(requests.subList(0, 1), commit).thenApply(first -> {
                List<Result<Void>> results = new ArrayList<>(Collections.nCopies(requests.size(), Result.retry()));
                results.set(0, first.get(0));
                return results;
            });
        }
    }

    private static final class RepeatsResolved extends ForwardingCounterBackend {
        private final Set<IdempotencyToken> resolved;

        RepeatsResolved(CounterBackend backend, Set<IdempotencyToken> resolved) {
            super(
                    backend,
                    new ForwardingCounterStore(backend.counters()) {
                        @Override
                        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                            return commit.isTokenMade() && resolved.contains(commit.token())
                                    ? Futures.done(requests.stream()
                                            .map(request -> Result.<Void>retry())
                                            .toList())
                                    : store.add(requests, commit);
                        }
                    },
                    backend.sequences());
            this.resolved = resolved;
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return backend.resolve(token, target, call).thenApply(resolution -> {
                if (target != null && !resolution.applied()) {
                    resolved.add(token);
                }
                return resolution;
            });
        }
    }
}
