package io.counterkit.tck.chapter.counter;

import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Listening;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.model.SimilarTexts;
import io.counterkit.tck.internal.view.ClosingListener;
import io.counterkit.tck.internal.view.Reports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 3, continued: what a backend reports to the listeners of a counter. */
public abstract class CounterListenersChapter extends MigrationChapter {
    private static final Duration CADENCE = Duration.ofMillis(20);

    /** More than a process usually has listeners. */
    private static final int CLOSED = 40;

    /** More changes than a listener usually has in its queue. */
    private static final int MANY = 150;

    private static final int FEW = 30;

    /** As many adds as have more bytes, in names of the largest length, than a report of a store may have. */
    private static final int LARGE = 25;

    @Test
    @Rule(
            value = "3.22",
            lookAt = "the kinds of changes that are reported, those of other processes, and each counter of a batch; a"
                    + " report that comes before its change can be read, or not at all if a reply is lost;"
                    + " long names; listeners of one counter that replace or close each other; what a"
                    + " closed listener keeps, and what a closed process ends; a listener that ends with an"
                    + " outage, or after a number of reports")
    final void spec322_liveListenerIsCalledAfterEveryChange() {
        CounterStore counters = backend().counters();
        Counter counter = counter(1);
        Reports first = reports(counters, counter.name());
        if (first == null) {
            assertWatchPolls(counter);
            return;
        }
        for (int i = 0; i < CLOSED; i++) {
            listen(counters, counter.name()).close();
        }
        Reports second = listen(counters, counter.name());
        Reports third = listenTwice(counters, counter.name());
        String imported = name();
        Reports ofImported = listen(counters, imported);
        Reports ofOther = listen(backend().counters(), counter.name());
        List<Reports> all = List.of(first, second, third, ofOther);
        all.forEach(Reports::awaitLive);
        ofImported.awaitLive();
        Reports.checkReported(all, "an add", () -> counter.add(2));
        Reports.checkReported(
                all,
                "an add by another process",
                () -> elsewhere(counter).add(-Limits.MAX_DELTA, IdempotencyToken.random()));
        Reports.checkReported(
                all,
                "an add by the process that listens",
                () -> Batches.add(counters, List.of(new AddRequest(counter.name(), 2, null)), this::commit));
        ofOther.close();
        second.close();
        second.close();
        List<Reports> open = List.of(first, third);
        Reports.checkReported(open, "a reset", counter::reset);
        Reports.checkReported(open, "a reset by another process", () -> {
            counter.add(1);
            elsewhere(counter).reset();
        });
        Reports.checkReported(open, "an add after a reset", () -> counter.add(-1));
        Reports.checkReported(open, "a deletion", elsewhere(counter)::delete);
        Reports.checkReported(open, "a first add", () -> elsewhere(counter).add(1));
        if (declares(Capability.IMPORT)) {
            Reports.checkReported(
                    List.of(ofImported),
                    "an import",
                    () -> imported(backend().migration(), Kind.COUNTER, imported, total(-Limits.MAX_TOTAL)));
            Reports.checkReported(
                    List.of(ofImported),
                    "an add to an imported counter",
                    () -> there().counter(imported).add(-1));
            Reports.checkReported(
                    List.of(ofImported),
                    "an add to a counter out of range",
                    () -> there().counter(imported).add(2));
        }
        CounterBackend closed = backend();
        listen(closed.counters(), counter.name()).awaitLive();
        closed.close();
        Reports.checkReported(
                open,
                "an add after another process was closed",
                () -> elsewhere(counter).add(1));
        assertBatchIsReported(counters, first);
        assertListenerClosesItself(counters);
        assertReportedToTheEnd(counter, open);
        second.checkClosed();
        ofOther.checkClosed();
        if (declares(Capability.SEAL_COUNTERS)) {
            String sealed = counter(1).name();
            there().counter(sealed).seal("elsewhere");
            listen(counters, sealed).close();
        }
        for (Reports each : List.of(first, third, ofImported)) {
            each.close();
        }
    }

    /** Checks that a batch is reported for each of its counters, even for one with a long and unusual name. */
    private void assertBatchIsReported(CounterStore counters, Reports before) {
        Reports last = listen(counters, SimilarTexts.longUnusual(name()));
        last.awaitLive();
        List<Reports> both = List.of(before, last);
        IdempotencyToken used = IdempotencyToken.random();
        counter().add(1, used);
        List<AddRequest> adds = List.of(
                new AddRequest(before.name(), 1, null),
                new AddRequest(before.name(), 2, used), // which is refused
                new AddRequest(last.name(), 1, null),
                new AddRequest(last.name(), 1, IdempotencyToken.random()));
        CounterStore others = backend().counters();
        for (List<AddRequest> batch : List.of(List.of(adds.get(0), adds.get(2)), adds, adds.subList(1, 4))) {
            Reports.checkReported(both.subList(batch.contains(adds.get(0)) ? 0 : 1, 2), "a batch of adds", () -> {
                for (List<AddRequest> part : parts(others, batch)) {
                    Batches.add(others, part, this::commit);
                }
            });
        }
        Reports.checkReported(
                List.of(last), "a reset", () -> there().counter(last.name()).reset());
        last.close();
        List<AddRequest> large = new ArrayList<>();
        for (int i = 1; i < LARGE; i++) {
            String name = SimilarTexts.filled(name(), Limits.MAX_NAME_BYTES);
            large.add(new AddRequest(name, 1, null));
        }
        large.add(new AddRequest(before.name(), 1, null));
        if (Batches.accepts(others, large)) {
            Reports.checkReported(
                    List.of(before),
                    "the last add of a batch of " + LARGE,
                    () -> Batches.add(others, large, this::commit));
        }
    }

    private void assertListenerClosesItself(CounterStore counters) {
        Counter counter = counter(1);
        ClosingListener closing = ClosingListener.start(changed -> counters.listen(counter.name(), changed));
        Reports other = listen(counters, counter.name());
        other.checkReportedWhileClosing(closing, () -> elsewhere(counter).add(1));
        other.close();
    }

    /** Returns the batch, or one batch for each request if the store does not accept the whole batch. */
    private static List<List<AddRequest>> parts(CounterStore store, List<AddRequest> batch) {
        return Batches.accepts(store, batch)
                ? List.of(batch)
                : batch.stream().map(List::of).toList();
    }

    /** Checks that changes are still reported after many others, and after an outage. */
    private void assertReportedToTheEnd(Counter counter, List<Reports> open) {
        int many = size(MANY, FEW);
        for (int i = 0; i < many; i++) {
            elsewhere(counter).increment();
        }
        Reports.checkReported(
                open, "an add after many others", () -> elsewhere(counter).increment());
        Reports.checkOutage(open, () -> inject(StoreFault.FAIL_BEFORE, 1));
        Reports.checkReported(
                open, "an add after an outage", () -> elsewhere(counter).increment());
        Reports.checkReportedWithoutReply(
                open,
                "an add",
                () -> inject(StoreFault.LOSE_REPLY, 1),
                this::applyAndResolve,
                () -> elsewhere(counter).increment());
    }

    private @Nullable Reports reports(CounterStore counters, String name) {
        return Reports.ofCounter(counters, name, this::commit);
    }

    private Reports listen(CounterStore counters, String name) {
        Reports reports = reports(counters, name);
        if (reports == null) {
            throw new AssertionError("listen() returned null for '" + name
                    + "', but not for other counters: a backend has to listen to all"
                    + " counters or to none");
        }
        return reports;
    }

    /** Listens twice with one callback, and closes one of the listeners. */
    private Reports listenTwice(CounterStore counters, String name) {
        Reports reports = Reports.of(
                name,
                changed -> {
                    Listening open = counters.listen(name, changed);
                    Objects.requireNonNull(counters.listen(name, changed)).close();
                    return open;
                },
                () -> Reports.total(counters, name, commit()));
        return Objects.requireNonNull(reports);
    }

    /** Checks that a watch works without reports. */
    private void assertWatchPolls(Counter counter) {
        ReportedReadings shown = new ReportedReadings();
        connect().counter(counter.name()).watch(CADENCE, shown);
        shown.await(1);
        elsewhere(counter).add(2);
        shown.await(3);
    }
}
