package io.counterkit.verification.broken.migration;

import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Gap;
import io.counterkit.verification.broken.flaw.Joined;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapter 13: importing. */
public final class ImportFlaws {
    private ImportFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("numbers entries of an imported sequence from 1", "13.1", "13.2", "13.6")
                        .migration(NumbersFromOne::new),
                Flaw.that("imports without declaring it", "13.1", "13.3").backend(DoesNotDeclareIt::new),
                Flaw.that("refuses an undeclared import but stores it", "13.1")
                        .backend(right -> new DoesNotDeclareIt(new WithMigration(
                                right, right.counters(), right.sequences(), new RefusesAndImports(right.migration())))),
                Flaw.that("returns the requested import instead of the stored one", "13.2", "13.5", "13.6")
                        .migration(ReturnsTheRequest::new),
                Flaw.that("adds an import to an existing total", "13.3")
                        .migration(() -> true, (right, nothing) -> new AddsTheBase(right)),
                Flaw.that("records an import in the counter", "13.4")
                        .backend(ConcurrentHashMap::new, ImportFlaws::forgettingImports),
                Flaw.that("makes a name present that was imported as absent", "13.5")
                        .migration(MakesPresent::new),
                Flaw.that("checks for an import in a separate step before it imports", "13.6")
                        .migration(Looked::new, LooksFirst::new),
                Flaw.that("reports an applied import as not applied", "13.9").migration(ReportsAsNotApplied::new),
                Flaw.that("reports a failed import as applied", "13.9").migration(ReportsAsMade::new),
                Flaw.that("returns the first state of a name that it read", "13.10")
                        .migration(RemembersStates::new),
                Flaw.that("returns the time of the call as the time of a seal", "13.10")
                        .migration(ReturnsTheTime::new));
    }

    private static ImportedState withLast(ImportedState base, long last) {
        return new ImportedState(base.origin(), base.isPresent(), base.value(), last);
    }

    private static final class NumbersFromOne extends ForwardingMigrationStore {
        NumbersFromOne(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            return store.importBase(kind, name, withLast(base, 0), call)
                    .thenApply(imported -> withLast(imported, base.last()));
        }
    }

    private static final class DoesNotDeclareIt extends ForwardingCounterBackend {
        DoesNotDeclareIt(CounterBackend right) {
            super(right);
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.SEAL_COUNTERS, Capability.SEAL_SEQUENCES, Capability.TOP);
        }
    }

    private static final class RefusesAndImports extends ForwardingMigrationStore {
        RefusesAndImports(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            return store.importBase(kind, name, base, call).thenCompose(imported -> unsupported());
        }

        @Override
        public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
            return unsupported();
        }

        @Override
        public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
            return unsupported();
        }

        private static <T> CompletableFuture<T> unsupported() {
            return CompletableFuture.failedFuture(new UnsupportedOperationException("not supported by this store"));
        }
    }

    private static final class ReturnsTheRequest extends ForwardingMigrationStore {
        ReturnsTheRequest(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            return store.importBase(kind, name, base, call).thenApply(imported -> base);
        }
    }

    private static CompletableFuture<ImportedState> add(CounterBackend right, String name, ImportedState base) {
        Commit own = Commits.lasting(Duration.ofSeconds(20));
        return right.counters()
                .add(List.of(new AddRequest(name, base.value(), null)), own)
                .thenApply(added -> base);
    }

    private static final class AddsTheBase extends ForwardingMigrationStore {
        private final CounterBackend right;

        AddsTheBase(CounterBackend right) {
            super(right.migration());
            this.right = right;
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            return Futures.recover(
                    store.importBase(kind, name, base, call),
                    NotAppliedException.class,
                    inUse -> kind == ChangeTarget.Kind.COUNTER
                            ? add(right, name, base)
                            : CompletableFuture.failedFuture(inUse));
        }
    }

    /** Forgets the import of a deleted counter. */
    private static CounterBackend forgettingImports(CounterBackend right, Map<String, Boolean> deleted) {
        ForwardingCounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<Void> delete(String name, Commit commit) {
                deleted.put(name, true);
                return store.delete(name, commit);
            }
        };
        ForwardingMigrationStore migration = new ForwardingMigrationStore(right.migration()) {
            @Override
            public CompletableFuture<ImportedState> importBase(
                    ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
                return kind == ChangeTarget.Kind.COUNTER && deleted.remove(name) != null
                        ? add(right, name, base)
                        : store.importBase(kind, name, base, call);
            }
        };
        return new WithMigration(right, counters, right.sequences(), migration);
    }

    private static final class MakesPresent extends ForwardingMigrationStore {
        MakesPresent(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            ImportedState present = new ImportedState(base.origin(), true, base.value(), base.last());
            return store.importBase(kind, name, present, call).thenApply(imported -> base);
        }
    }

    /** The imports, stored apart, and the gap between the check and the import. */
    private record Looked(Map<String, ImportedState> bases, Gap gap) {
        Looked() {
            this(new ConcurrentHashMap<>(), new Gap());
        }
    }

    private static final class LooksFirst extends ForwardingMigrationStore {
        private final CounterBackend right;
        private final Looked looked;

        LooksFirst(CounterBackend right, Looked looked) {
            super(right.migration());
            this.right = right;
            this.looked = looked;
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            if (kind == ChangeTarget.Kind.SEQUENCE) {
                return store.importBase(kind, name, base, call);
            }
            ImportedState known = looked.bases().get(name);
            if (known != null) {
                return Futures.done(known);
            }
            looked.gap().meet();
            looked.bases().put(name, base);
            return add(right, name, base);
        }
    }

    private static final class ReportsAsNotApplied extends ForwardingMigrationStore {
        ReportsAsNotApplied(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            return store.importBase(kind, name, base, call)
                    .exceptionallyCompose(
                            failure -> CompletableFuture.failedFuture(new NotAppliedException("no reply", failure)));
        }
    }

    private static final class ReportsAsMade extends ForwardingMigrationStore {
        ReportsAsMade(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            return store.importBase(kind, name, base, call).exceptionally(failure -> base);
        }
    }

    private static final class RemembersStates extends ForwardingMigrationStore {
        private final Map<String, NameState> seen = new ConcurrentHashMap<>();

        RemembersStates(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
            return store.states(kind, names, call)
                    .thenApply(states -> Joined.of(
                            names, states, (name, state) -> seen.computeIfAbsent(kind + "/" + name, unseen -> state)));
        }
    }

    private static final class ReturnsTheTime extends ForwardingMigrationStore {
        ReturnsTheTime(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
            return store.states(kind, names, call)
                    .thenApply(states -> states.stream()
                            .map(state -> new NameState(
                                    state.isPresent(), state.seal(), state.seal() == null ? null : Instant.now()))
                            .toList());
        }
    }
}
