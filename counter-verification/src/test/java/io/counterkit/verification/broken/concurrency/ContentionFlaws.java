package io.counterkit.verification.broken.concurrency;

import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Tail;
import io.counterkit.Watch;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Gap;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chapters 4, 7 and 10, continued: contending processes, and calls that occupy a thread or a connection. */
public final class ContentionFlaws {
    private ContentionFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("locks counters in the order of the batch", "4.5").counters(Locks::new, LocksInOrder::new),
                Flaw.that("never releases a connection after a failure", "7.16")
                        .backend(Pool::new, ContentionFlaws::keeping),
                Flaw.that("waits for a read on its caller's thread", "7.17").counters(WaitsForReads::new),
                Flaw.that("waits for an erasure on its caller's thread", "7.17").sequences(WaitsForErasures::new),
                Flaw.that("reads a counter before it returns from a watch", "7.17")
                        .counters(WaitsToWatch::new),
                Flaw.that("reads the tail before it listens to a sequence", "7.17")
                        .sequences(WaitsToListen::new),
                Flaw.that("reads last number and live count in two steps", "10.20")
                        .sequences(Gap::new, ReadsTailInTwo::new),
                Flaw.that("reads the seal of a tail after its last number", "10.20")
                        .sequences(ReadsSealLast::new));
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

    private static final class WaitsToWatch extends ForwardingCounterStore {
        WaitsToWatch(CounterStore store) {
            super(store);
        }

        @Override
        public @Nullable Watch watch(String name, Duration cadence, Sink sink) {
            CompletableFuture<?> read = awaited(store.read(List.of(name), Duration.ZERO, sink.call()));
            return read.isDone() ? store.watch(name, cadence, sink) : null;
        }
    }

    private static final class WaitsToListen extends ForwardingSequenceStore {
        WaitsToListen(SequenceStore store) {
            super(store);
        }

        @Override
        public @Nullable Listening listen(String sequence, Runnable changed) {
            CompletableFuture<?> read = awaited(store.tail(sequence, Commits.lasting(Duration.ofSeconds(20))));
            return read.isDone() ? store.listen(sequence, changed) : null;
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

    private static final class ReadsSealLast extends ForwardingSequenceStore {
        ReadsSealLast(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(sequence, call)
                    .thenCompose(first -> store.tail(sequence, call)
                            .thenApply(second -> new Tail(first.last(), first.liveCount(), second.seal())));
        }
    }
}
