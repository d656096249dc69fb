package io.counterkit.verification.broken.reading;

import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.Timers;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Chapter 3, continued: watches that are closed while they report or read. */
public final class ClosingWatchFlaws {
    /** Longer than a rule waits for a report. */
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(40);

    private ClosingWatchFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("continues a watch that is closed while it reports", "3.11")
                        .counters(store -> new Watching(store, Way.ENDS_ITS_PAUSE)),
                Flaw.that("continues a watch that is closed while it reads", "3.11")
                        .counters(store -> new Watching(store, Way.ENDS_IN_ITS_REPORT)),
                Flaw.that("waits for a report when its watch is closed, even in that report", "3.11")
                        .counters(store -> new Watching(store, Way.WAITS)));
    }

    /** What the close of a watch does. */
    private enum Way {
        ENDS_ITS_PAUSE,
        ENDS_IN_ITS_REPORT,
        WAITS
    }

    private static final class Watching extends ForwardingCounterStore {
        private final Timers timers = Timers.named("closing-watch-flaws");
        private final Way way;

        Watching(CounterStore store, Way way) {
            super(store);
            this.way = way;
        }

        @Override
        public Watch watch(String name, Duration cadence, Sink sink) {
            Looks looks = new Looks(this, name, cadence, sink);
            looks.pause(0);
            return looks;
        }
    }

    /** Reads a counter, reports its total, and pauses. */
    private static final class Looks implements Watch {
        private final Watching by;
        private final String name;
        private final long cadence;
        private final CounterStore.Sink sink;
        private final long start = System.nanoTime();
        private final AtomicInteger reporting = new AtomicInteger();
        private CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);
        private boolean isClosed;

        Looks(Watching by, String name, Duration cadence, CounterStore.Sink sink) {
            this.by = by;
            this.name = name;
            this.cadence = cadence.toNanos() / 2;
            this.sink = sink;
        }

        private synchronized void pause(long nanos) {
            if (!isClosed && System.nanoTime() - start < LONGEST) {
                pause = by.timers.after(nanos);
                CompletableFuture<?> unused = pause.thenRun(this::look);
            }
        }

        private void look() {
            CompletableFuture<?> unused = by.read(List.of(name), Duration.ZERO, sink.call())
                    .thenApply(totals -> totals.get(0))
                    .thenApply(Result::orThrow)
                    .thenAccept(reading -> {
                        reporting.incrementAndGet();
                        sink.reading(reading);
                        reporting.decrementAndGet();
                    })
                    .whenComplete((done, failure) -> pause(cadence));
        }

        @Override
        public void close() {
            long begun = System.nanoTime();
            while (by.way == Way.WAITS && reporting.get() > 0 && System.nanoTime() - begun < LONGEST) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            synchronized (this) {
                isClosed = by.way == Way.WAITS || (by.way == Way.ENDS_IN_ITS_REPORT && reporting.get() > 0);
                pause.cancel(false);
            }
        }

        @Override
        public @Nullable Reading latest() {
            return null;
        }
    }
}
