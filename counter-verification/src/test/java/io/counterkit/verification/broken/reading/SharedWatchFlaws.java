package io.counterkit.verification.broken.reading;

import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.reading.WatchFlaws.Looks;
import io.counterkit.verification.broken.reading.WatchFlaws.ReportsChanges;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Chapter 3, watches, continued: what watches have in common, how long they last, and what they do not report. */
public final class SharedWatchFlaws {
    private SharedWatchFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("watches a counter with the cadence of its first watch", "3.18")
                        .counters(SharesTheCadence::new),
                Flaw.that("watches counters by the first 255 characters of their names", "3.18")
                        .counters(CutsNames::new),
                Flaw.that("reports no more than 100 totals to a watch", "3.18").counters(ReportsFewTotals::new),
                Flaw.that("reports no negative totals to a watch", "3.9").counters(ReportsNoNegativeTotals::new),
                Flaw.that("reports no second outage to a watch", "3.13").counters(ReportsOneOutage::new),
                Flaw.that("ends the watches of all processes when one of them is closed", "3.18")
                        .backend(ConcurrentHashMap::<Looks>newKeySet, SharedWatchFlaws::endingAll));
    }

    private static final class SharesTheCadence extends ReportsChanges {
        private final Map<String, Duration> cadences = new ConcurrentHashMap<>();

        SharesTheCadence(CounterStore store) {
            super(store);
        }

        @Override
        public Watch watch(String name, Duration cadence, Sink sink) {
            return super.watch(name, cadences.computeIfAbsent(name, first -> cadence), sink);
        }
    }

    private static final class CutsNames extends ReportsChanges {
        private static final int COLUMN = 255;

        private final Map<String, String> watched = new ConcurrentHashMap<>();

        CutsNames(CounterStore store) {
            super(store);
        }

        @Override
        public Watch watch(String name, Duration cadence, Sink sink) {
            String key = name.substring(0, Math.min(COLUMN, name.length()));
            return super.watch(watched.computeIfAbsent(key, first -> name), cadence, sink);
        }
    }

    private static final class ReportsFewTotals extends ReportsChanges {
        private static final int MOST = 100;

        private final Map<Looks, AtomicInteger> totals = new ConcurrentHashMap<>();

        ReportsFewTotals(CounterStore store) {
            super(store);
        }

        @Override
        void see(Looks looks, Reading reading) {
            AtomicInteger seen = totals.computeIfAbsent(looks, first -> new AtomicInteger());
            Reading last = looks.last;
            if (last == null || last.value() != reading.value()) {
                seen.incrementAndGet();
            }
            if (seen.get() <= MOST) {
                super.see(looks, reading);
            }
        }
    }

    private static final class ReportsNoNegativeTotals extends ReportsChanges {
        ReportsNoNegativeTotals(CounterStore store) {
            super(store);
        }

        @Override
        void see(Looks looks, Reading reading) {
            if (reading.value() >= 0) {
                super.see(looks, reading);
            }
        }
    }

    private static final class ReportsOneOutage extends ReportsChanges {
        private final Set<Looks> failed = ConcurrentHashMap.newKeySet();
        private final Set<Looks> recovered = ConcurrentHashMap.newKeySet();

        ReportsOneOutage(CounterStore store) {
            super(store);
        }

        @Override
        void see(Looks looks, Reading reading) {
            if (failed.contains(looks)) {
                recovered.add(looks);
            }
            super.see(looks, reading);
        }

        @Override
        void fail(Looks looks, Throwable failure) {
            failed.add(looks);
            if (!recovered.contains(looks)) {
                super.fail(looks, failure);
            }
        }
    }

    private static CounterBackend endingAll(CounterBackend right, Set<Looks> watches) {
        CounterStore counters = new ReportsChanges(right.counters()) {
            @Override
            public Watch watch(String name, Duration cadence, Sink sink) {
                Looks watch = (Looks) super.watch(name, cadence, sink);
                watches.add(watch);
                return watch;
            }
        };
        return new ForwardingCounterBackend(right, counters, right.sequences()) {
            @Override
            public void close() {
                watches.forEach(Looks::close);
            }
        };
    }
}
