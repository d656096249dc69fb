package io.counterkit.verification.broken.reading;

import io.counterkit.CounterException;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Chapter 3, watches: backends that report changes to watches themselves. The API layer keeps rule 3.12. */
public final class WatchFlaws {
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);

    private WatchFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("reports only the first total to a watch", "3.9").counters(ShowsOnce::new),
                Flaw.that("reports old totals to a watch as new ones", "3.10").counters(GoesBack::new),
                Flaw.that("reports totals after a watch is closed", "3.11").counters(GoesOn::new),
                Flaw.that("ends a watch after a failed read", "3.13").counters(EndsWithAFailure::new),
                Flaw.that("does not report a failed read to a watch", "3.13").counters(ReportsNoFailure::new),
                Flaw.that("reports only changes to a watch", "3.14").counters(ReportsChangesOnly::new));
    }

    /** Returns correct counters, for comparison. */
    public static CounterStore reporting(CounterStore store) {
        return new ReportsChanges(store);
    }

    static class ReportsChanges extends ForwardingCounterStore {
        ReportsChanges(CounterStore store) {
            super(store);
        }

        @Override
        public Watch watch(String name, Duration cadence, Sink sink) {
            Looks looks = new Looks(this, name, cadence, sink);
            looks.after(Duration.ZERO);
            return looks;
        }

        void see(Looks looks, Reading reading) {
            looks.last = reading;
            looks.sink.reading(reading);
        }

        void fail(Looks looks, Throwable failure) {
            Throwable cause = io.counterkit.spi.Futures.unwrap(failure);
            looks.sink.failure(
                    cause instanceof CounterException known ? known : new NotAppliedException("a failed read"));
        }

        void end(Looks looks) {
            looks.isClosed = true;
        }
    }

    /** Reads a counter repeatedly. */
    static final class Looks implements Watch {
        private final long start = System.nanoTime();
        private final ReportsChanges by;
        final String name;
        private final Duration cadence;
        final CounterStore.Sink sink;
        private volatile boolean isClosed;
        volatile @Nullable Reading last;
        private volatile @Nullable Reading before;

        Looks(ReportsChanges by, String name, Duration cadence, CounterStore.Sink sink) {
            this.by = by;
            this.name = name;
            this.cadence = cadence;
            this.sink = sink;
        }

        void after(Duration pause) {
            CompletableFuture<?> unused = CompletableFuture.runAsync(
                            () -> {}, CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS))
                    .thenCompose(paused -> look())
                    .whenComplete((done, failure) -> {
                        if (failure != null && !isClosed) {
                            by.fail(this, failure);
                        }
                        if (!isClosed && System.nanoTime() - start < LONGEST) {
                            after(cadence.dividedBy(2));
                        }
                    });
        }

        private CompletableFuture<?> look() {
            Call call = sink.call();
            return by.read(List.of(name), Duration.ZERO, call)
                    .thenApply(results -> results.get(0))
                    .thenApply(Result::orThrow)
                    .copy()
                    .orTimeout(call.remaining().toMillis(), TimeUnit.MILLISECONDS)
                    .thenAccept(reading -> {
                        if (!isClosed) {
                            by.see(this, reading);
                        }
                    });
        }

        @Override
        public void close() {
            by.end(this);
        }
    }

    private static final class ShowsOnce extends ReportsChanges {
        ShowsOnce(CounterStore store) {
            super(store);
        }

        @Override
        void see(Looks looks, Reading reading) {
            if (looks.last == null) {
                super.see(looks, reading);
            }
        }
    }

    private static final class GoesBack extends ReportsChanges {
        GoesBack(CounterStore store) {
            super(store);
        }

        @Override
        void see(Looks looks, Reading reading) {
            Reading last = looks.last;
            Reading before = looks.before;
            if (last != null && last.value() != reading.value()) {
                looks.before = last;
                super.see(looks, reading);
            } else if (before != null) {
                looks.before = null;
                looks.sink.reading(new Reading(before.value(), reading.asOf(), reading.staleness()));
            } else {
                super.see(looks, reading);
            }
        }
    }

    private static final class GoesOn extends ReportsChanges {
        GoesOn(CounterStore store) {
            super(store);
        }

        @Override
        void end(Looks looks) {}
    }

    private static final class EndsWithAFailure extends ReportsChanges {
        EndsWithAFailure(CounterStore store) {
            super(store);
        }

        @Override
        void fail(Looks looks, Throwable failure) {
            super.fail(looks, failure);
            end(looks);
        }
    }

    private static final class ReportsNoFailure extends ReportsChanges {
        ReportsNoFailure(CounterStore store) {
            super(store);
        }

        @Override
        void fail(Looks looks, Throwable failure) {}
    }

    private static final class ReportsChangesOnly extends ReportsChanges {
        ReportsChangesOnly(CounterStore store) {
            super(store);
        }

        @Override
        void see(Looks looks, Reading reading) {
            Reading last = looks.last;
            if (last == null || last.value() != reading.value()) {
                super.see(looks, reading);
            }
        }
    }
}
