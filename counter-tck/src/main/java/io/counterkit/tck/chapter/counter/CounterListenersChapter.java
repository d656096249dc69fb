package io.counterkit.tck.chapter.counter;

import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Listening;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.chapter.StoreThreads;
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

    /** A listener, and how often it was called. */
    private record Reports(String name, AtomicLong count, Listening listening) {
        static @Nullable Reports of(CounterStore counters, String name) {
            AtomicLong count = new AtomicLong();
            Listening listening = counters.listen(name, count::incrementAndGet);
            return listening == null ? null : new Reports(name, count, listening);
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
                    "the kinds of changes that are reported, and those of other processes; listeners of one counter that"
                            + " replace or close each other; what a closed listener keeps")
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
        for (Reports each : List.of(first, second, third, ofImported)) {
            await("a listener that is live").atMost(ReportedReadings.PATIENCE).until(each.listening()::isLive);
        }
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
        for (Reports each : List.of(first, third, ofImported)) {
            each.listening().close();
        }
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
