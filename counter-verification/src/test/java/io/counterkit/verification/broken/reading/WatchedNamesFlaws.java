package io.counterkit.verification.broken.reading;

import io.counterkit.CounterOverflowException;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.reading.WatchFlaws.Looks;
import io.counterkit.verification.broken.reading.WatchFlaws.ReportsChanges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Chapter 3, watches, continued: several counters, and every kind of change. */
public final class WatchedNamesFlaws {
    private WatchedNamesFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("ends a watch when another counter is watched", "3.18")
                        .counters(WatchesOne::new),
                Flaw.that("ignores case in the names of watched counters", "3.18")
                        .counters(IgnoresCase::new),
                Flaw.that("watches no more than 40 times", "3.18").counters(WatchesSeldom::new),
                Flaw.that("does not report an import to a watch", "3.19")
                        .counters(ConcurrentHashMap::<String>newKeySet, ReportsAddsOnly::new),
                Flaw.that("ends a watch when the total is out of range", "3.19").counters(EndsOutOfRange::new),
                Flaw.that("reports a total out of range to a watch", "3.19").counters(ReportsOutOfRange::new),
                Flaw.that("adds to the last total that a watch has reported", "14.1")
                        .counters(AddsToTheLast::new));
    }

    private static final class WatchesOne extends ReportsChanges {
        private @Nullable Looks before;

        WatchesOne(CounterStore store) {
            super(store);
        }

        @Override
        public synchronized Watch watch(String name, Duration cadence, Sink sink) {
            if (before != null && !before.name.equals(name)) {
                end(before);
            }
            Looks watch = (Looks) super.watch(name, cadence, sink);
            before = watch;
            return watch;
        }
    }

    private static final class WatchesSeldom extends ReportsChanges {
        private static final int MOST = 40;

        private final AtomicInteger watches = new AtomicInteger();

        WatchesSeldom(CounterStore store) {
            super(store);
        }

        @Override
        public Watch watch(String name, Duration cadence, Sink sink) {
            return watches.incrementAndGet() > MOST ? () -> {} : super.watch(name, cadence, sink);
        }
    }

    private static final class IgnoresCase extends ReportsChanges {
        private final Map<String, String> watched = new ConcurrentHashMap<>();

        IgnoresCase(CounterStore store) {
            super(store);
        }

        @Override
        public Watch watch(String name, Duration cadence, Sink sink) {
            return super.watch(watched.computeIfAbsent(name.toLowerCase(Locale.ROOT), first -> name), cadence, sink);
        }
    }

    private static final class ReportsAddsOnly extends ReportsChanges {
        private final Set<String> added;

        ReportsAddsOnly(CounterStore store, Set<String> added) {
            super(store);
            this.added = added;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.forEach(request -> added.add(request.name()));
            return store.add(requests, commit);
        }

        @Override
        void see(Looks looks, Reading reading) {
            super.see(
                    looks, added.contains(looks.name) ? reading : new Reading(0, reading.asOf(), reading.staleness()));
        }
    }

    private static final class EndsOutOfRange extends ReportsChanges {
        EndsOutOfRange(CounterStore store) {
            super(store);
        }

        @Override
        void fail(Looks looks, Throwable failure) {
            super.fail(looks, failure);
            if (Futures.unwrap(failure) instanceof CounterOverflowException) {
                end(looks);
            }
        }
    }

    private static final class ReportsOutOfRange extends ReportsChanges {
        ReportsOutOfRange(CounterStore store) {
            super(store);
        }

        @Override
        void fail(Looks looks, Throwable failure) {
            if (Futures.unwrap(failure) instanceof CounterOverflowException) {
                looks.sink.reading(new Reading(Long.MAX_VALUE, Instant.now(), Duration.ZERO));
            } else {
                super.fail(looks, failure);
            }
        }
    }

    private static final class AddsToTheLast extends ReportsChanges {
        private final Set<Looks> watches = ConcurrentHashMap.newKeySet();

        AddsToTheLast(CounterStore store) {
            super(store);
        }

        @Override
        public Watch watch(String name, Duration cadence, Sink sink) {
            Looks watch = (Looks) super.watch(name, cadence, sink);
            watches.add(watch);
            return watch;
        }

        @Override
        public @Nullable FastPath fastPath(String name) {
            return null;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            for (Looks watch : watches) {
                long sum = requests.stream()
                        .filter(request -> request.name().equals(watch.name))
                        .mapToLong(AddRequest::delta)
                        .sum();
                Reading last = watch.last;
                if (last != null && sum != 0) {
                    see(watch, new Reading(last.value() + sum, Instant.now(), Duration.ZERO));
                }
            }
            return store.add(requests, commit);
        }

        @Override
        void end(Looks looks) {
            watches.remove(looks);
            super.end(looks);
        }
    }
}
