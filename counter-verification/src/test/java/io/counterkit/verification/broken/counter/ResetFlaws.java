package io.counterkit.verification.broken.counter;

import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
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
import io.counterkit.verification.broken.flaw.Pages;
import io.counterkit.verification.broken.reading.ReadFlaws;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Chapter 8: reset and delete. */
public final class ResetFlaws {
    private ResetFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("deletes a counter that is reset", "8.1").counters(DeletesInsteadOfResetting::new),
                Flaw.that("creates a counter that is reset", "8.2").counters(CreatesByResetting::new),
                Flaw.that("clears one shard after the other", "8.3", "8.6")
                        .counters(Shards::new, ClearsShardByShard::new),
                Flaw.that("subtracts a total that a reset read in a separate step", "8.4", "6.4")
                        .counters(Gap::new, Subtracts::new),
                Flaw.that("keeps the old total of a deleted counter", "8.5")
                        .counters(ConcurrentHashMap::<String>newKeySet, LeavesTheOldTotal::new),
                Flaw.that("makes a deleted counter present when a token is repeated", "5.12")
                        .counters(ConcurrentHashMap::<IdempotencyToken>newKeySet, Revives::new),
                Flaw.that("fails to delete an absent counter", "8.7").counters(FailsToDeleteWhatIsAbsent::new));
    }

    private static List<AddRequest> delta(String name, long delta) {
        return List.of(new AddRequest(name, delta, null));
    }

    private static final class Revives extends ForwardingCounterStore {
        private final Set<IdempotencyToken> tokens;

        Revives(CounterStore store, Set<IdempotencyToken> tokens) {
            super(store);
            this.tokens = tokens;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            AddRequest request = requests.get(0);
            return store.add(requests, commit).thenCompose(results -> {
                boolean isRepeated = request.token() != null && !tokens.add(request.token());
                return isRepeated && results.get(0).isApplied()
                        ? store.add(delta(request.name(), 0), Commits.another(commit))
                                .thenApply(revived -> results)
                        : Futures.done(results);
            });
        }
    }

    private static final class DeletesInsteadOfResetting extends ForwardingCounterStore {
        DeletesInsteadOfResetting(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.delete(name, commit);
        }
    }

    private static final class CreatesByResetting extends ForwardingCounterStore {
        CreatesByResetting(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.add(delta(name, 0), Commits.another(commit)).thenCompose(added -> store.reset(name, commit));
        }
    }

    /** The cleared counters, and the number of adds, which alternate between two shards. */
    private record Shards(Set<String> cleared, Gap adds) {
        Shards() {
            this(ConcurrentHashMap.newKeySet(), new Gap());
        }
    }

    private static final class ClearsShardByShard extends ForwardingCounterStore {
        private final Shards shards;

        ClearsShardByShard(CounterStore store, Shards shards) {
            super(store);
            this.shards = shards;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            AddRequest add = requests.get(0);
            long turn = shards.adds().pass();
            if (add.delta() > 4) {
                Gap.await(() -> shards.cleared().contains(add.name()));
            }
            String shard = turn % 2 == 0 ? add.name() : second(add.name());
            return store.add(List.of(new AddRequest(shard, add.delta(), add.token())), commit);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call)
                    .thenCombine(
                            store.read(
                                    names.stream()
                                            .map(ClearsShardByShard::second)
                                            .toList(),
                                    maxStaleness,
                                    call),
                            ClearsShardByShard::sums);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return inTurn(name, commit, store::reset);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return inTurn(name, commit, store::delete);
        }

        private CompletableFuture<Void> inTurn(
                String name, Commit commit, BiFunction<String, Commit, CompletableFuture<Void>> clearing) {
            shards.cleared().add(name);
            return clearing.apply(name, commit).thenCompose(first -> {
                shards.adds().await(4);
                return clearing.apply(second(name), Commits.another(commit));
            });
        }

        private static String second(String name) {
            return name + " (2)";
        }

        private static List<Result<Reading>> sums(List<Result<Reading>> first, List<Result<Reading>> second) {
            List<Result<Reading>> sums = new ArrayList<>();
            for (int i = 0; i < first.size(); i++) {
                long more = second.get(i).orThrow().value();
                sums.add(ReadFlaws.changed(first.get(i), first.get(i).orThrow().value() + more));
            }
            return sums;
        }
    }

    private static final class Subtracts extends ForwardingCounterStore {
        private final Gap gap;

        Subtracts(CounterStore store, Gap gap) {
            super(store);
            this.gap = gap;
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.read(List.of(name), Duration.ZERO, commit)
                    .thenApply(results -> results.get(0).orThrow().value())
                    .thenCompose(total -> {
                        gap.meet();
                        return store.add(delta(name, -total), commit);
                    })
                    .thenAccept(added -> {});
        }
    }

    /** Only marks a deleted counter; the next add removes the mark. */
    private static final class LeavesTheOldTotal extends ForwardingCounterStore {
        private final Set<String> deleted;

        LeavesTheOldTotal(CounterStore store, Set<String> deleted) {
            super(store);
            this.deleted = deleted;
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            deleted.add(name);
            return Futures.done(null);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.forEach(request -> deleted.remove(request.name()));
            return store.add(requests, commit);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call)
                    .thenApply(results -> Joined.of(
                            names,
                            results,
                            (name, result) -> deleted.contains(name) ? ReadFlaws.changed(result, 0) : result));
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return Pages.filtered(store.names(prefix, cursor, limit, call), name -> !deleted.contains(name));
        }
    }

    private static final class FailsToDeleteWhatIsAbsent extends ForwardingCounterStore {
        FailsToDeleteWhatIsAbsent(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.names(name, null, 1, commit)
                    .thenCompose(page -> page.names().isEmpty()
                            ? CompletableFuture.failedFuture(new NotAppliedException("no counter '" + name + "'"))
                            : store.delete(name, commit));
        }
    }
}
