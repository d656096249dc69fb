package io.counterkit.tck.chapter.counter;

import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Listening;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.chapter.StoreThreads;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 3, continued: what a backend reports to those who listen to a counter. */
public abstract class CounterListenersChapter extends MigrationChapter {
    private static final Duration CADENCE = Duration.ofMillis(20);

    /** More than a process usually has listeners. */
    private static final int CLOSED = 40;

    /** More changes than a listener usually has in its queue. */
    private static final int MANY = 150;

    private static final int FEW = 30;
    private static final int OUTAGE = 3;

    /** A listener, and how often it was called. */
    private record Reports(String name, AtomicLong count, Listening listening) {
        static @Nullable Reports of(CounterStore counters, String name) {
            AtomicLong count = new AtomicLong();
            Listening listening = counters.listen(name, count::incrementAndGet);
            return listening == null ? null : new Reports(name, count, listening);
        }

        void awaitLive() {
            await("a listener that is live").atMost(ReportedReadings.PATIENCE).until(listening::isLive);
        }

        void awaitMore(long before, String change) {
            await("a report of " + change + " of '" + name + "'")
                    .atMost(ReportedReadings.PATIENCE)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> count.get() > before);
        }
    }

    @Test
    @Rule(
            value = "3.22",
            lookAt =
                    "the kinds of changes that are reported, those of other processes, and each counter of a batch; long"
                            + " names; listeners of one counter that replace or close each other; what a closed listener"
                            + " keeps, and what a closed process ends; a listener that ends with an outage, or after a"
                            + " number of reports")
    final void spec322_liveListenerIsCalledAfterEveryChange() {
        CounterStore counters = backend().counters();
        Counter counter = counter(1);
        Reports first = Reports.of(counters, counter.name());
        if (first == null) {
            assertWatchPolls(counter);
            return;
        }
        for (int i = 0; i < CLOSED; i++) {
            listen(counters, counter.name()).listening().close();
        }
        Reports second = listen(counters, counter.name());
        Reports third = listen(counters, counter.name());
        String imported = name();
        Reports ofImported = listen(counters, imported);
        List.of(first, second, third, ofImported).forEach(Reports::awaitLive);
        assertReported(List.of(first, second, third), "an add", () -> counter.add(2));
        assertReported(
                List.of(first, second, third),
                "an add elsewhere",
                () -> elsewhere(counter).add(3, IdempotencyToken.random()));
        second.listening().close();
        List<Reports> open = List.of(first, third);
        assertReported(open, "a reset", counter::reset);
        assertReported(open, "a reset elsewhere", () -> {
            counter.add(1);
            elsewhere(counter).reset();
        });
        assertReported(open, "a deletion", elsewhere(counter)::delete);
        assertReported(open, "a first add", () -> elsewhere(counter).add(1));
        if (declares(Capability.IMPORT)) {
            assertReported(
                    List.of(ofImported),
                    "an import",
                    () -> imported(backend().migration(), Kind.COUNTER, imported, total(7)));
        }
        CounterBackend closed = backend();
        listen(closed.counters(), counter.name()).awaitLive();
        closed.close();
        assertReported(
                open,
                "an add after another process was closed",
                () -> elsewhere(counter).add(1));
        assertBatchIsReported(counters, first);
        assertReportedToTheEnd(counters, counter, open);
        for (Reports each : List.of(first, third, ofImported)) {
            each.listening().close();
        }
    }

    /** Checks that each counter of a batch is reported, also one with a long and unusual name. */
    private void assertBatchIsReported(CounterStore counters, Reports before) {
        Reports last = listen(counters, SimilarTexts.longUnusual(name()));
        last.awaitLive();
        List<Reports> both = List.of(before, last);
        List<AddRequest> adds =
                both.stream().map(each -> new AddRequest(each.name(), 1, null)).toList();
        CounterStore others = backend().counters();
        boolean isAlone = others.limits().onePerName();
        assertReported(both, "a batch of adds", () -> {
            for (List<AddRequest> batch : isAlone ? adds.stream().map(List::of).toList() : List.of(adds)) {
                Batches.add(others, batch, this::commit);
            }
        });
        assertReported(
                List.of(last), "a reset", () -> there().counter(last.name()).reset());
        last.listening().close();
    }

    /** Checks that changes are still reported after many others, and after an outage. */
    private void assertReportedToTheEnd(CounterStore counters, Counter counter, List<Reports> open) {
        int many = size(MANY, FEW);
        for (int i = 0; i < many; i++) {
            elsewhere(counter).increment();
        }
        assertReported(
                open, "an add after many others", () -> elsewhere(counter).increment());
        for (int i = 0; i < OUTAGE; i++) {
            try (InjectedFault failing = inject(StoreFault.FAIL_BEFORE, 1)) {
                counters.read(List.of(counter.name()), Duration.ZERO, commit())
                        .handle((results, failure) -> failing.isHit())
                        .join();
            }
        }
        open.forEach(Reports::awaitLive);
        assertReported(open, "an add after an outage", () -> elsewhere(counter).increment());
    }

    private static Reports listen(CounterStore counters, String name) {
        Reports reports = Reports.of(counters, name);
        if (reports == null) {
            throw new AssertionError("a backend listens to some counters only");
        }
        return reports;
    }

    private static void assertReported(List<Reports> listeners, String what, Runnable change) {
        List<Long> before = listeners.stream().map(each -> each.count().get()).toList();
        change.run();
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).awaitMore(before.get(i), what);
        }
    }

    /** Checks that a watch needs no reports. */
    private void assertWatchPolls(Counter counter) {
        ReportedReadings shown = new ReportedReadings();
        connect(CountersOptions.builder()
                        .watchThread(new StoreThreads(fixture()))
                        .build())
                .counter(counter.name())
                .watch(CADENCE, shown);
        shown.await(1);
        elsewhere(counter).add(2);
        shown.await(3);
    }
}
