package io.counterkit.verification.broken.reading;

import io.counterkit.CounterOverflowException;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Chapters 1 and 3, continued: reads with a staleness bound, of many names, and what reads leave in the store. */
public final class ReadingFlaws {
    private ReadingFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("creates a counter that is read with a staleness bound", "1.1")
                        .counters(CreatesOnBoundedRead::new),
                Flaw.that("creates a counter that is watched", "1.1").counters(CreatesOnWatch::new),
                Flaw.that("creates a counter whose commit is resolved", "1.1").backend(CreatesOnResolution::new),
                Flaw.that("returns cached totals of many names before the others", "3.6")
                        .counters(CachedFirst::new),
                Flaw.that("returns 1970 as the time of a total of 0", "3.5").counters(ZeroIn1970::new),
                Flaw.that("returns 1970 as the time of the largest totals", "3.8")
                        .counters(LargestIn1970::new),
                Flaw.that("returns a total from before a reset as fresh", "3.4")
                        .counters(ConcurrentHashMap::new, FreshAfterReset::new),
                Flaw.that("reads no more than 300 of many counters", "2.7").counters(store -> new ReadsFew(store, 300)),
                Flaw.that("reads no more than 999 of many counters", "2.7").counters(store -> new ReadsFew(store, 999)),
                Flaw.that("returns a total out of range if a read has a staleness bound", "6.2")
                        .counters(BoundedOutOfRange::new),
                Flaw.that("takes totals from a cache in a strong read of more than 50 names", "2.7")
                        .counters(CachesLargeReads::new),
                Flaw.that("sums the parts of the largest totals one after another", "3.3")
                        .counters(ConcurrentHashMap::<String>newKeySet, TornLargest::new));
    }

    private static void create(CounterStore store, String name) {
        store.add(List.of(new AddRequest(name, 0, null)), Commits.lasting(Duration.ofSeconds(20)))
                .join();
    }

    private static final class CreatesOnBoundedRead extends ForwardingCounterStore {
        CreatesOnBoundedRead(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call).thenApply(results -> {
                for (int i = 0; i < names.size() && !maxStaleness.isZero(); i++) {
                    if (results.get(i).isApplied() && results.get(i).orThrow().value() == 0) {
                        create(store, names.get(i));
                    }
                }
                return results;
            });
        }
    }

    private static final class CreatesOnWatch extends ForwardingCounterStore {
        CreatesOnWatch(CounterStore store) {
            super(store);
        }

        @Override
        public @Nullable Watch watch(String name, Duration cadence, Sink sink) {
            create(store, name);
            return null;
        }
    }

    private static final class CreatesOnResolution extends ForwardingCounterBackend {
        CreatesOnResolution(CounterBackend backend) {
            super(backend);
        }

        @Override
        public CompletableFuture<io.counterkit.Resolution> resolve(
                io.counterkit.IdempotencyToken token, io.counterkit.spi.@Nullable ChangeTarget target, Call call) {
            return backend.resolve(token, target, call).thenApply(resolution -> {
                if (target != null && target.kind() == Kind.COUNTER && !resolution.applied()) {
                    create(backend.counters(), target.name());
                }
                return resolution;
            });
        }
    }

    private static final class CachedFirst extends ForwardingCounterStore {
        private final Set<String> cached = ConcurrentHashMap.newKeySet();

        CachedFirst(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            List<String> ordered = new ArrayList<>(names);
            if (!maxStaleness.isZero()) {
                ordered.sort(Comparator.comparing(name -> !cached.contains(name)));
            }
            cached.addAll(names);
            return store.read(ordered, maxStaleness, call);
        }
    }

    private static final class ZeroIn1970 extends ForwardingCounterStore {
        ZeroIn1970(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call)
                    .thenApply(results -> results.stream()
                            .map(result -> maxStaleness.isZero()
                                            && result.isApplied()
                                            && result.orThrow().value() == 0
                                    ? Result.of(new Reading(0, Instant.EPOCH, Duration.ZERO))
                                    : result)
                            .toList());
        }
    }

    private static final class LargestIn1970 extends ForwardingCounterStore {
        LargestIn1970(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return store.top(prefix, limit, call)
                    .thenApply(top -> top.stream()
                            .map(named -> new NamedReading(
                                    named.name(), new Reading(named.reading().value(), Instant.EPOCH, Duration.ZERO)))
                            .toList());
        }
    }

    private record Cached(int adds, Reading reading) {}

    /** Its cache is out of date after an add of any process, but not after a reset or a deletion. */
    private static final class FreshAfterReset extends ForwardingCounterStore {
        private final Map<String, Cached> cache = new ConcurrentHashMap<>();
        private final Map<String, AtomicInteger> adds;

        FreshAfterReset(CounterStore store, Map<String, AtomicInteger> adds) {
            super(store);
            this.adds = adds;
        }

        private AtomicInteger adds(String name) {
            return adds.computeIfAbsent(name, none -> new AtomicInteger());
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit)
                    .whenComplete((done, failure) ->
                            requests.forEach(request -> adds(request.name()).incrementAndGet()));
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            if (maxStaleness.compareTo(Duration.ofSeconds(1)) < 0 || names.size() > 1) {
                return store.read(names, maxStaleness, call);
            }
            int now = adds(names.get(0)).get();
            Cached cached = cache.get(names.get(0));
            if (cached != null && cached.adds() == now) {
                Reading old = cached.reading();
                return Futures.done(List.of(Result.of(new Reading(old.value(), Instant.now(), Duration.ZERO))));
            }
            return store.read(names, maxStaleness, call).thenApply(results -> {
                if (results.get(0).isApplied()) {
                    cache.put(names.get(0), new Cached(now, results.get(0).orThrow()));
                }
                return results;
            });
        }
    }

    private static final class ReadsFew extends ForwardingCounterStore {
        private final int most;

        ReadsFew(CounterStore store, int most) {
            super(store);
            this.most = most;
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names.subList(0, Math.min(most, names.size())), maxStaleness, call)
                    .thenApply(results -> {
                        List<Result<Reading>> all = new ArrayList<>(results);
                        while (all.size() < names.size()) {
                            all.add(Result.of(new Reading(0, Instant.now(), Duration.ZERO)));
                        }
                        return all;
                    });
        }
    }

    private static final class BoundedOutOfRange extends ForwardingCounterStore {
        BoundedOutOfRange(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call)
                    .thenApply(results -> results.stream()
                            .map(result ->
                                    !maxStaleness.isZero() && result.failure() instanceof CounterOverflowException
                                            ? Result.of(new Reading(Limits.MAX_TOTAL, Instant.now(), Duration.ZERO))
                                            : result)
                            .toList());
        }
    }

    private static final class CachesLargeReads extends ForwardingCounterStore {
        private static final int LARGE = 50;

        private final Map<String, Result<Reading>> cache = new ConcurrentHashMap<>();

        CachesLargeReads(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            if (names.size() <= LARGE) {
                return store.read(names, maxStaleness, call);
            }
            return store.read(names, maxStaleness, call).thenApply(results -> {
                Map<String, Result<Reading>> read = new HashMap<>();
                for (int i = 0; i < names.size(); i++) {
                    read.put(names.get(i), results.get(i));
                }
                read.forEach(cache::putIfAbsent);
                return names.stream()
                        .map(name -> cache.getOrDefault(name, read.get(name)))
                        .toList();
            });
        }
    }

    private static final class TornLargest extends ForwardingCounterStore {
        private final Set<String> changing;

        TornLargest(CounterStore store, Set<String> changing) {
            super(store);
            this.changing = changing;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.forEach(request -> changing.add(request.name()));
            return store.add(requests, commit).whenComplete((done, failure) -> {
                java.util.concurrent.locks.LockSupport.parkNanos(100_000);
                requests.forEach(request -> changing.remove(request.name()));
            });
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return store.top(prefix, limit, call)
                    .thenApply(top -> top.stream()
                            .map(named -> changing.contains(named.name())
                                    ? new NamedReading(
                                            named.name(),
                                            new Reading(
                                                    named.reading().value() - 1,
                                                    named.reading().asOf(),
                                                    named.reading().staleness()))
                                    : named)
                            .toList());
        }
    }
}
