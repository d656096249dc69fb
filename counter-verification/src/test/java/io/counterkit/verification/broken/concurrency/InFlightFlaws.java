package io.counterkit.verification.broken.concurrency;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Tail;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chapters 3 and 5, continued: calls of one process that meet, and commits that are resolved on their way. */
public final class InFlightFlaws {
    private InFlightFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("joins a read of a total that is under way", "3.20").counters(JoinsReads::new),
                Flaw.that("joins a read of a tail that is under way", "3.20").sequences(JoinsTails::new),
                Flaw.that("joins a read of entries that is under way", "3.20").sequences(JoinsEntries::new),
                Flaw.that("joins a reset that is under way", "8.3").counters(store -> new JoinsClearings(store, true)),
                Flaw.that("joins a deletion that is under way", "8.6")
                        .counters(store -> new JoinsClearings(store, false)),
                resolved("add", Kind.ADD),
                resolved("append", Kind.APPEND),
                resolved("reset", Kind.RESET),
                resolved("deletion", Kind.DELETION),
                resolved("erasure", Kind.ERASURE),
                resolved("seal", Kind.SEAL));
    }

    /** Reads that are under way, by what they read. */
    private static final class Flights<K, V> {
        private static final long LATENCY = 100_000;

        private final Map<K, CompletableFuture<V>> flying = new ConcurrentHashMap<>();

        CompletableFuture<V> join(K what, Supplier<CompletableFuture<V>> read) {
            CompletableFuture<V> mine = new CompletableFuture<>();
            CompletableFuture<V> other = flying.putIfAbsent(what, mine);
            return other != null
                    ? other
                    : read.get().whenComplete((value, failure) -> {
                        LockSupport.parkNanos(LATENCY);
                        flying.remove(what);
                        if (failure == null) {
                            mine.complete(value);
                        } else {
                            mine.completeExceptionally(failure);
                        }
                    });
        }
    }

    private static final class JoinsReads extends ForwardingCounterStore {
        private final Flights<List<String>, List<Result<Reading>>> flights = new Flights<>();

        JoinsReads(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return flights.join(names, () -> store.read(names, maxStaleness, call));
        }
    }

    private static final class JoinsClearings extends ForwardingCounterStore {
        private final boolean isOfResets;
        private final Flights<String, Void> flights = new Flights<>();

        JoinsClearings(CounterStore store, boolean isOfResets) {
            super(store);
            this.isOfResets = isOfResets;
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return isOfResets ? flights.join(name, () -> store.reset(name, commit)) : store.reset(name, commit);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return isOfResets ? store.delete(name, commit) : flights.join(name, () -> store.delete(name, commit));
        }
    }

    private static final class JoinsTails extends ForwardingSequenceStore {
        private final Flights<String, Tail> flights = new Flights<>();

        JoinsTails(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return flights.join(sequence, () -> store.tail(sequence, call));
        }
    }

    private static final class JoinsEntries extends ForwardingSequenceStore {
        private final Flights<String, List<Entry>> flights = new Flights<>();

        JoinsEntries(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return flights.join(sequence + " " + range, () -> store.read(sequence, range, call));
        }
    }

    private enum Kind {
        ADD,
        APPEND,
        RESET,
        DELETION,
        ERASURE,
        SEAL
    }

    private static Flaw resolved(String change, Kind kind) {
        return Flaw.that(
                        "reports a late " + change + " as applied although its commit was resolved as not applied",
                        "5.27")
                .backend(
                        ConcurrentHashMap::<IdempotencyToken>newKeySet,
                        (right, decided) -> new IgnoresDecisions(right, decided, kind));
    }

    private static final class IgnoresDecisions extends ForwardingCounterBackend {
        private final Set<IdempotencyToken> decided;

        IgnoresDecisions(CounterBackend backend, Set<IdempotencyToken> decided, Kind kind) {
            super(backend, new Counters(backend.counters(), decided, kind), new Sequences(backend, decided, kind));
            this.decided = decided;
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return backend.resolve(token, target, call).thenApply(resolution -> {
                if (!resolution.applied()) {
                    decided.add(token);
                }
                return resolution;
            });
        }

        /** Replaces the failure of a change whose commit was resolved after it was sent. */
        static <T> CompletableFuture<T> orDone(
                boolean isOpen, Supplier<CompletableFuture<T>> change, CompletableFuture<T> done) {
            return isOpen ? Futures.recover(change.get(), NotAppliedException.class, failure -> done) : change.get();
        }
    }

    private static final class Counters extends ForwardingCounterStore {
        private final Set<IdempotencyToken> decided;
        private final Kind kind;

        Counters(CounterStore store, Set<IdempotencyToken> decided, Kind kind) {
            super(store);
            this.decided = decided;
            this.kind = kind;
        }

        private boolean isOpen(Kind change, Commit commit) {
            return change == kind && commit.isTokenMade() && !decided.contains(commit.token());
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return isOpen(Kind.ADD, commit)
                    ? store.add(requests, commit)
                            .thenApply(results -> results.stream()
                                    .map(result -> result.isRetry() ? Result.applied() : result)
                                    .toList())
                    : store.add(requests, commit);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return IgnoresDecisions.orDone(
                    isOpen(Kind.RESET, commit), () -> store.reset(name, commit), Futures.done(null));
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return IgnoresDecisions.orDone(
                    isOpen(Kind.DELETION, commit), () -> store.delete(name, commit), Futures.done(null));
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return IgnoresDecisions.orDone(
                    isOpen(Kind.SEAL, commit),
                    () -> store.seal(name, forward, commit),
                    Futures.done(new Seal(forward, 0, 0)));
        }
    }

    private static final class Sequences extends ForwardingSequenceStore {
        private final Set<IdempotencyToken> decided;
        private final Kind kind;

        Sequences(CounterBackend backend, Set<IdempotencyToken> decided, Kind kind) {
            super(backend.sequences());
            this.decided = decided;
            this.kind = kind;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            boolean isOpen = kind == Kind.APPEND && commit.isTokenMade() && !decided.contains(commit.token());
            Entry invented = new Entry(2, Instant.EPOCH, Change.ADDED, null, Map.of(), 2, false);
            return isOpen
                    ? store.append(sequence, requests, commit)
                            .thenApply(results -> results.stream()
                                    .map(result -> decided.contains(commit.token()) ? Result.of(invented) : result)
                                    .toList())
                    : store.append(sequence, requests, commit);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            boolean isOpen = kind == Kind.ERASURE && commit.isTokenMade() && !decided.contains(commit.token());
            return IgnoresDecisions.orDone(isOpen, () -> store.erase(sequence, number, commit), Futures.done(true));
        }
    }
}
