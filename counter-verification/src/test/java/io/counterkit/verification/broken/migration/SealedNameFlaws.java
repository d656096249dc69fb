package io.counterkit.verification.broken.migration;

import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Gap;
import io.counterkit.verification.broken.flaw.Joined;
import io.counterkit.verification.broken.flaw.Pages;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Chapters 11 and 13, continued: lists of sealed names, and imports beside other changes. */
public final class SealedNameFlaws {
    private SealedNameFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("lists an absent counter that is sealed", "11.9")
                        .counters(ConcurrentHashMap::<String>newKeySet, ListsSealed::new),
                Flaw.that("omits a sealed counter from its lists", "11.9")
                        .counters(ConcurrentHashMap::<String>newKeySet, LeavesSealedOut::new),
                Flaw.that("omits an empty sealed sequence from its lists", "11.9")
                        .sequences(LeavesEmptyOut::new),
                Flaw.that("needs the total for a seal", "11.10").counters(NeedsTheTotalForASeal::new),
                Flaw.that("imports a counter during its first add", "13.13")
                        .backend(Gap::new, SealedNameFlaws::importingBeside),
                Flaw.that("imports a sealed empty sequence", "13.14").migration(ImportsOntoSealed::new),
                twoSteps(
                        "looks for a name and then for its seal in another step",
                        (first, second) -> new NameState(first.isPresent(), second.seal(), second.sealedAt())),
                twoSteps(
                        "reads the time of a seal and then the seal in another step",
                        (first, second) -> new NameState(second.isPresent(), second.seal(), first.sealedAt())));
    }

    private static Flaw twoSteps(String does, BinaryOperator<NameState> join) {
        return Flaw.that(does, "13.10").migration(right -> new ForwardingMigrationStore(right) {
            @Override
            public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
                return store.states(kind, names, call)
                        .thenCompose(first ->
                                store.states(kind, names, call).thenApply(second -> Joined.of(first, second, join)));
            }
        });
    }

    private static class NotesSeals extends ForwardingCounterStore {
        final Set<String> sealed;

        NotesSeals(CounterStore store, Set<String> sealed) {
            super(store);
            this.sealed = sealed;
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            sealed.add(name);
            return store.seal(name, forward, commit);
        }
    }

    private static final class ListsSealed extends NotesSeals {
        ListsSealed(CounterStore store, Set<String> sealed) {
            super(store, sealed);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, cursor, limit, call)
                    .thenApply(page -> page.names().isEmpty() && sealed.contains(prefix)
                            ? new NamePage(List.of(prefix), null)
                            : page);
        }
    }

    private static final class LeavesSealedOut extends NotesSeals {
        LeavesSealedOut(CounterStore store, Set<String> sealed) {
            super(store, sealed);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return Pages.filtered(store.names(prefix, cursor, limit, call), name -> !sealed.contains(name));
        }
    }

    private static final class LeavesEmptyOut extends ForwardingSequenceStore {
        LeavesEmptyOut(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return Pages.filtered(
                    store.names(prefix, cursor, limit, call),
                    name -> store.tail(name, call).join().last() > 0);
        }
    }

    private static final class NeedsTheTotalForASeal extends ForwardingCounterStore {
        NeedsTheTotalForASeal(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return store.read(List.of(name), Duration.ZERO, commit)
                    .thenApply(results -> results.get(0).orThrow())
                    .thenCompose(total -> store.seal(name, forward, commit));
        }
    }

    /** Checks for the counter and writes the imported state in a later step. */
    private static CounterBackend importingBeside(CounterBackend right, Gap gap) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                return store.add(requests, commit).whenComplete((done, failure) -> gap.pass());
            }
        };
        MigrationStore migration = new ForwardingMigrationStore(right.migration()) {
            @Override
            public CompletableFuture<ImportedState> importBase(
                    ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
                if (kind == ChangeTarget.Kind.SEQUENCE
                        || store.states(kind, List.of(name), call).join().get(0).isPresent()) {
                    return store.importBase(kind, name, base, call);
                }
                gap.await(1);
                Commit own = Commits.lasting(Duration.ofSeconds(20));
                return right.counters()
                        .delete(name, own)
                        .thenCompose(cleared -> store.importBase(kind, name, base, call));
            }
        };
        return new WithMigration(right, counters, right.sequences(), migration);
    }

    private static final class ImportsOntoSealed extends ForwardingMigrationStore {
        ImportsOntoSealed(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            return Futures.recover(
                    store.importBase(kind, name, base, call),
                    NotAppliedException.class,
                    refused -> store.states(kind, List.of(name), call)
                            .thenCompose(states -> states.get(0).seal() != null
                                            && !states.get(0).isPresent()
                                    ? Futures.done(base)
                                    : CompletableFuture.failedFuture(refused)));
        }
    }
}
