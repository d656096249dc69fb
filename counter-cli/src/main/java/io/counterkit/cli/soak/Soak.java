package io.counterkit.cli.soak;

import io.counterkit.Counters;
import io.counterkit.cli.backend.CommitCount;
import io.counterkit.cli.backend.FaultSource;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Lets workers change counters and sequences until the time or the operations are used up, and then checks all. */
final class Soak {
    private static final long TICK = 20;

    private final Happened happened = new Happened();
    private final AtomicLong operationsLeft;
    private final SoakPlan plan;
    private final Counters store;
    private final CommitCount commits;
    private final @Nullable FaultSource faults;
    private final Interrupt interrupt;
    private final Progress progress;
    private final Books books;
    private volatile boolean over;

    /**
     * @param commits listens to {@code store}
     * @param faults disturbs the way to the store; null if nothing does
     * @param prefix what all names start with
     */
    Soak(
            SoakPlan plan,
            Counters store,
            CommitCount commits,
            @Nullable FaultSource faults,
            String prefix,
            Interrupt interrupt,
            Progress progress) {
        this.plan = plan;
        this.operationsLeft = new AtomicLong(plan.operations());
        this.store = store;
        this.commits = commits;
        this.faults = faults;
        this.books = Books.open(store, prefix, plan.counters(), plan.sequences());
        this.interrupt = interrupt;
        this.progress = progress;
    }

    SoakSummary run() throws InterruptedException {
        long start = System.nanoTime();
        if (faults != null) {
            faults.start(plan.faults(), plan.seed());
        }
        CountDownLatch working = startWorkers();
        while (!working.await(TICK, TimeUnit.MILLISECONDS)) {
            if (faults != null) {
                faults.release();
            }
            long nanos = System.nanoTime() - start;
            over |= interrupt.isRequested() || nanos >= plan.duration().toNanos();
            progress.show(() -> progressLine(nanos));
        }
        long nanos = System.nanoTime() - start;
        if (faults != null) {
            faults.stop();
        }
        books.check(store);
        progress.clear();
        return new SoakSummary(
                plan, books, happened, commits, faults == null ? 0 : faults.count(), nanos, interrupt.isRequested());
    }

    private CountDownLatch startWorkers() {
        CountDownLatch working = new CountDownLatch(plan.workers());
        SplittableRandom random = new SplittableRandom(plan.seed());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < plan.workers(); i++) {
            SoakWorker worker = new SoakWorker(store, books, happened, random.split(), i, plan.workers());
            threads.add(new Thread(
                    () -> {
                        work(worker);
                        working.countDown();
                    },
                    worker.name()));
        }
        threads.forEach(Thread::start);
        return working;
    }

    private void work(SoakWorker worker) {
        try {
            while (!over && operationsLeft.getAndDecrement() > 0) {
                worker.work();
            }
        } catch (RuntimeException | Error e) {
            books.findings().add(worker.name(), "ended by " + e);
            over = true;
        }
    }

    private String progressLine(long nanos) {
        long operations = happened.operations.sum();
        double done = Math.max((double) nanos / plan.duration().toNanos(), (double) operations / plan.operations());
        return String.format(
                Locale.ROOT,
                "%3.0f %% %s %s operations  %s/s  %s  %s",
                100 * Math.min(1, done),
                Figures.bar(done, 20),
                Figures.grouped(operations),
                Figures.grouped(Figures.perSecond(operations, nanos)),
                Figures.count(faults == null ? 0 : faults.count(), "fault", "faults"),
                Figures.count(books.findings().count(), "difference", "differences"));
    }
}
