package io.counterkit.verification.broken;

import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chapters 3, 4, 7, 10, 11 and 13, continued: contending processes, and rules in combination. */
final class EdgeFlaws {
    private EdgeFlaws() {}

    static List<Flaw> all() {
        return List.of(
                top(
                        "lists only totals above zero among the largest",
                        top -> top.stream()
                                .filter(named -> named.reading().value() > 0)
                                .toList()),
                top(
                        "ignores case in the order of equal totals",
                        top -> top.stream()
                                .sorted(Comparator.comparingLong((NamedReading named) ->
                                                -named.reading().value())
                                        .thenComparing(named -> named.name().toLowerCase(Locale.ROOT)))
                                .toList()),
                top(
                        "orders the largest totals in floating point",
                        top -> top.stream()
                                .sorted(Comparator.comparingDouble((NamedReading named) ->
                                                -(double) named.reading().value())
                                        .thenComparing(Comparator.comparing(NamedReading::name)
                                                .reversed()))
                                .toList()),
                Flaw.that("omits totals out of range from the largest", "3.16").counters(LeavesOverflownOut::new),
                Flaw.that("locks counters in the order of the batch", "4.5").counters(Locks::new, LocksInOrder::new),
                Flaw.that("never releases a connection after a failure", "7.16").backend(Pool::new, EdgeFlaws::keeping),
                Flaw.that("waits for a read on its caller's thread", "7.17").counters(WaitsForReads::new),
                Flaw.that("waits for an erasure on its caller's thread", "7.17").sequences(WaitsForErasures::new),
                Flaw.that("deletes although its token was resolved as not applied", "5.17", "7.18")
                        .counters(DeletesAnyway::new),
                Flaw.that("erases although its token was resolved as not applied", "5.17", "7.18")
                        .sequences(ErasesAnyway::new),
                Flaw.that("fails without an outcome if the token was resolved before", "7.18")
                        .counters(FailsWithoutAnOutcome::new),
                Flaw.that("reads last number and live count in two steps", "10.20")
                        .sequences(Gap::new, ReadsTailInTwo::new),
                Flaw.that("lists an absent counter that is sealed", "11.9")
                        .counters(ConcurrentHashMap::<String>newKeySet, ListsSealed::new),
                Flaw.that("omits a sealed counter from its lists", "11.9")
                        .counters(ConcurrentHashMap::<String>newKeySet, LeavesSealedOut::new),
                Flaw.that("omits an empty sealed sequence from its lists", "11.9")
                        .sequences(LeavesEmptyOut::new),
                Flaw.that("needs the total for a seal", "11.10").counters(NeedsTheTotalForASeal::new),
                Flaw.that("imports a counter during its first add", "13.13")
                        .backend(Gap::new, EdgeFlaws::importingBeside),
                Flaw.that("imports a sealed empty sequence", "13.14").migration(ImportsOntoSealed::new));
    }

    private static Flaw top(String does, Function<List<NamedReading>, List<NamedReading>> change) {
        return Flaw.that(does, "3.16").counters(store -> new ForwardingCounterStore(store) {
            @Override
            public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
                return store.top(prefix, limit, call).thenApply(change);
            }
        });
    }

    private static final class LeavesOverflownOut extends ForwardingCounterStore {
        LeavesOverflownOut(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return Futures.recover(
                    store.top(prefix, limit, call),
                    CounterOverflowException.class,
                    overflown -> Futures.done(List.of()));
        }
    }

    /** A lock for each counter, with a gap between two locks. */
    private static final class Locks {
        private final Map<String, Semaphore> locks = new ConcurrentHashMap<>();
        private final Gap gap = new Gap();

        void unlock(String name) {
            Objects.requireNonNull(locks.get(name)).release();
        }

        boolean tryLock(String name) {
            try {
                return locks.computeIfAbsent(name, unlocked -> new Semaphore(1)).tryAcquire(200, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    private static final class LocksInOrder extends ForwardingCounterStore {
        private final Locks locks;

        LocksInOrder(CounterStore store, Locks locks) {
            super(store);
            this.locks = locks;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            Deque<String> locked = new ArrayDeque<>();
            try {
                for (AddRequest request : requests) {
                    if (!locks.tryLock(request.name())) {
                        return Futures.done(Collections.nCopies(
                                requests.size(), Result.failed(new NotAppliedException("chosen as deadlock victim"))));
                    }
                    locked.add(request.name());
                    locks.gap.meet();
                }
                return store.add(requests, commit);
            } finally {
                locked.forEach(locks::unlock);
            }
        }
    }

    private static final class Pool {
        private final Semaphore connections = new Semaphore(100);

        <T> CompletableFuture<List<Result<T>>> with(Supplier<CompletableFuture<List<Result<T>>>> call) {
            try {
                if (!connections.tryAcquire(20, TimeUnit.MILLISECONDS)) {
                    return CompletableFuture.failedFuture(new NotAppliedException("no connection is free"));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return CompletableFuture.failedFuture(new NotAppliedException("interrupted"));
            }
            return call.get().whenComplete((results, failure) -> {
                if (failure == null && results.stream().allMatch(Result::isApplied)) {
                    connections.release();
                }
            });
        }
    }

    private static CounterBackend keeping(CounterBackend right, Pool pool) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                return pool.with(() -> store.add(requests, commit));
            }
        };
        SequenceStore sequences = new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                return pool.with(() -> store.append(sequence, requests, commit));
            }
        };
        return new ForwardingCounterBackend(right, counters, sequences);
    }

    private static <T> CompletableFuture<T> awaited(CompletableFuture<T> future) {
        try {
            future.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            return future;
        }
        return future;
    }

    private static final class WaitsForReads extends ForwardingCounterStore {
        WaitsForReads(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return awaited(store.read(names, maxStaleness, call));
        }
    }

    private static final class WaitsForErasures extends ForwardingSequenceStore {
        WaitsForErasures(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return awaited(store.erase(sequence, number, commit));
        }
    }

    private static final class DeletesAnyway extends ForwardingCounterStore {
        DeletesAnyway(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.delete(name, Commits.another(commit));
        }
    }

    private static final class ErasesAnyway extends ForwardingSequenceStore {
        ErasesAnyway(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return store.erase(sequence, number, Commits.another(commit));
        }
    }

    private static final class FailsWithoutAnOutcome extends ForwardingCounterStore {
        FailsWithoutAnOutcome(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return Futures.recover(
                    store.reset(name, commit),
                    CounterException.class,
                    failure -> CompletableFuture.failedFuture(
                            String.valueOf(failure.getMessage()).contains("was resolved")
                                    ? new IllegalStateException("duplicate key", failure)
                                    : failure));
        }
    }

    private static final class ReadsTailInTwo extends ForwardingSequenceStore {
        private final Gap gap;

        ReadsTailInTwo(SequenceStore store, Gap gap) {
            super(store);
            this.gap = gap;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).whenComplete((done, failure) -> gap.pass());
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(sequence, call).thenCompose(first -> {
                gap.await(1);
                return store.tail(sequence, call)
                        .thenApply(second -> new Tail(first.last(), second.liveCount(), second.seal()));
            });
        }
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
