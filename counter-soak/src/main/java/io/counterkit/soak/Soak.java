package io.counterkit.soak;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.soak.internal.worker.Findings;
import io.counterkit.soak.internal.worker.Ledgers;
import io.counterkit.soak.internal.worker.SoakStatistics;
import io.counterkit.soak.internal.worker.SoakWorker;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Changes counters and sequences of a backend from many threads, and then checks that each is exact. A counter is
 * exact if it holds the sum of what was applied. A sequence is exact if it holds every applied append once, unchanged,
 * under the numbers 1 to n. Workers add, append and read, with and without tokens, and also append changes of
 * subjects. They resolve every unknown outcome. All names start with one prefix and remain in the store.
 *
 * <pre>{@code
 * SoakReport report = Soak.create(backend, SoakOptions.builder().operations(100_000).build()).run();
 * assertTrue(report.isExact(), () -> String.join("\n", report.firstDifferences()));
 * }</pre>
 *
 * <p>Used once, by one thread.
 */
public final class Soak {
    private static final long TICK_MILLIS = 20;

    private final SoakStatistics statistics = new SoakStatistics();
    private final CounterBackend backend;
    private final SoakOptions options;
    private final AtomicLong operationsLeft;
    private volatile boolean isOver;

    private Soak(CounterBackend backend, SoakOptions options) {
        this.backend = backend;
        this.options = options;
        this.operationsLeft = new AtomicLong(options.operations);
    }

    /** Creates a soak of {@code backend}, which {@link #run} closes. */
    public static Soak create(CounterBackend backend, SoakOptions options) {
        return new Soak(backend, options);
    }

    /**
     * Runs the workers until the time has passed or all operations have begun, checks every name, closes the backend
     * and returns the report.
     *
     * @throws io.counterkit.NotAppliedException if the store cannot be read for the check, even after retries
     * @throws InterruptedException if the thread is interrupted; the workers then end by themselves
     */
    public SoakReport run() throws InterruptedException {
        CountersOptions listening =
                CountersOptions.builder().listener(statistics).build();
        try (Counters store = Counters.over(backend, listening)) {
            Ledgers ledgers = Ledgers.open(store, options.prefix, options.counters, options.sequences);
            Duration elapsed = work(store, ledgers);
            boolean stopped = options.stopWhen.getAsBoolean();
            ledgers.check(store);
            return report(ledgers, elapsed, stopped);
        }
    }

    private Duration work(Counters store, Ledgers ledgers) throws InterruptedException {
        long start = System.nanoTime();
        FaultSource faults = options.faultProbability > 0 ? options.faults : null;
        if (faults != null) {
            faults.start(options.faultProbability, options.seed);
        }
        try {
            CountDownLatch working = startWorkers(store, ledgers);
            while (!working.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (faults != null) {
                    faults.release();
                }
                Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
                isOver |= options.stopWhen.getAsBoolean() || elapsed.compareTo(options.duration) >= 0;
                options.listener.accept(report(ledgers, elapsed, false));
            }
            return Duration.ofNanos(System.nanoTime() - start);
        } finally {
            isOver = true;
            if (faults != null) {
                faults.stop();
            }
        }
    }

    private CountDownLatch startWorkers(Counters store, Ledgers ledgers) {
        CountDownLatch working = new CountDownLatch(options.workers);
        SplittableRandom random = new SplittableRandom(options.seed);
        for (int i = 0; i < options.workers; i++) {
            SoakWorker worker =
                    new SoakWorker(store, ledgers, statistics, random.split(), options.prefix, i, options.workers);
            Runnable task = () -> {
                work(worker, ledgers.findings());
                working.countDown();
            };
            new Thread(task, worker.name()).start();
        }
        return working;
    }

    private void work(SoakWorker worker, Findings findings) {
        try {
            while (!isOver && operationsLeft.getAndDecrement() > 0) {
                worker.work();
            }
        } catch (RuntimeException | Error e) {
            findings.add(worker.name(), "ended by " + e);
            isOver = true;
        }
    }

    private SoakReport report(Ledgers ledgers, Duration elapsed, boolean stopped) {
        Findings findings = ledgers.findings();
        return new SoakReport(
                ledgers.size(),
                findings.names(),
                findings.count(),
                findings.texts(),
                options.prefix,
                options.seed,
                statistics.operations.sum(),
                elapsed,
                statistics.adds.sum(),
                statistics.commits.sum(),
                statistics.committedAdds.sum(),
                statistics.appends.sum(),
                statistics.reads.sum(),
                options.faults == null ? 0 : options.faults.count(),
                statistics.notApplied.sum(),
                statistics.refused.sum(),
                statistics.unknown.sum(),
                statistics.unknownApplied.sum(),
                stopped);
    }
}
