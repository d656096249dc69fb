package io.counterkit.verification.broken.concurrency;

import io.counterkit.Seal;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapter 4, continued: fast paths that were opened before another change. */
public final class FastPathFlaws {
    private FastPathFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                outdated("adds by a fast path to a counter that was deleted since", "delete"),
                outdated("adds by a fast path to what a counter had before a reset", "reset"),
                outdated("accepts adds by a fast path that was opened before a seal", "seal"),
                Flaw.that("loses adds by a fast path that was opened before an import", "4.12")
                        .backend(ConcurrentHashMap::<String>newKeySet, FastPathFlaws::outdatedByImports),
                Flaw.that("adds large deltas by a fast path, and again without it", "4.12")
                        .counters(AddsLargeDeltasTwice::new));
    }

    private static CounterBackend outdatedByImports(CounterBackend right, Set<String> imported) {
        CounterBackend noting = Intercepted.of(right, call -> {
            if (call.method().equals("MigrationStore.importBase")) {
                imported.add(call.argument(1));
            }
            return call.pass();
        });
        CounterStore counters = new ForwardingCounterStore(noting.counters()) {
            @Override
            public FastPath fastPath(String name) {
                FastPath path = store.fastPath(name);
                boolean wasImported = imported.contains(name);
                return delta -> (!wasImported && imported.contains(name)) || path.tryAdd(delta);
            }
        };
        return new WithMigration(noting, counters, noting.sequences(), noting.migration());
    }

    private static Flaw outdated(String does, String change) {
        return Flaw.that(does, "4.12")
                .counters(
                        ConcurrentHashMap<String, Integer>::new,
                        (store, changes) -> new Outdated(store, changes, change));
    }

    /** Loses adds by fast paths that were opened before a change of one kind. */
    private static final class Outdated extends ForwardingCounterStore {
        private final Map<String, Integer> changes;
        private final String change;

        Outdated(CounterStore store, Map<String, Integer> changes, String change) {
            super(store);
            this.changes = changes;
            this.change = change;
        }

        private void note(String made, String name) {
            if (made.equals(change)) {
                changes.merge(name, 1, Integer::sum);
            }
        }

        @Override
        public FastPath fastPath(String name) {
            FastPath path = store.fastPath(name);
            int opened = changes.getOrDefault(name, 0);
            return delta -> changes.getOrDefault(name, 0) > opened || path.tryAdd(delta);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            note("delete", name);
            return store.delete(name, commit);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            note("reset", name);
            return store.reset(name, commit);
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            note("seal", name);
            return store.seal(name, forward, commit);
        }
    }

    private static final class AddsLargeDeltasTwice extends ForwardingCounterStore {
        private static final long LARGE = 1L << 52;

        AddsLargeDeltasTwice(CounterStore store) {
            super(store);
        }

        @Override
        public FastPath fastPath(String name) {
            FastPath path = store.fastPath(name);
            return delta -> path.tryAdd(delta) && Math.abs(delta) < LARGE;
        }
    }
}
