package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Outcome;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Chapter 3, continued: watches. */
public abstract class WatchChapter extends Chapter {
    private static final Duration CADENCE = Duration.ofMillis(20);

    @Test
    @Rule(
            value = "3.10",
            lookAt = "two sources of readings that overtake each other: a cache, a roll-up, a strong read")
    final void spec310_watchNeverGoesBack() {
        Counter counter = counter();
        ReportedReadings shown = new ReportedReadings();
        connect().counter(counter.name()).watch(CADENCE, shown);
        for (int i = 1; i <= 8; i++) {
            elsewhere(counter).add(1_000);
            counter.add(24);
            Reading strong = elsewhere(counter).read(Duration.ZERO);
            Reading old = counter.read(Duration.ofMinutes(1));
            assertThat(old.value()).isLessThanOrEqualTo(strong.value());
            shown.await(i * 1_024L);
            ConcurrentTasks.await(
                    () -> shown.last() < strong.value(), CADENCE.multipliedBy(3)); // an older one may still arrive
        }
        assertThat(shown.values())
                .as("the reported totals of a counter that only grew")
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    @Rule(
            value = "3.11",
            lookAt = "timers, and listeners at the store, that continue after a watch is closed; a watch that is closed"
                    + " while it reports or reads, which must neither wait for itself nor start its next timer")
    final void spec311_closedWatchReportsNothing() throws Exception {
        ClosingWatches closing = new ClosingWatches(tasks(), backend().counters(), CADENCE);
        if (closing.isProvided(counter(7).name())) {
            closing.checkClosedInItsReport(counter(8));
            closing.checkClosedInItsRead(counter(9)); // while no other watch reads
        }
        Counter counter = counter(5);
        Counters watching = connect();
        ReportedReadings first = new ReportedReadings();
        ReportedReadings second = new ReportedReadings();
        ReportedReadings below = new ReportedReadings();
        Watch watch = watching.counter(counter.name()).watch(CADENCE, first);
        watching.counter(counter.name()).watch(CADENCE, second);
        Watch watchBelow = backend().counters().watch(counter.name(), CADENCE, below);
        first.await(5);
        second.await(5);
        watch.close();
        watch.close();
        if (watchBelow != null) {
            below.await(5);
            watchBelow.close();
            watchBelow.close();
        }
        counter.add(1);
        second.await(6);
        assertThat(first.values()).as("the totals reported by the closed watch").containsExactly(5L);
        watching.close();
        watch.close();
        ReportedReadings third = new ReportedReadings();
        connect().counter(counter.name()).watch(CADENCE, third);
        third.await(6);
        counter.add(1);
        third.await(7);
        assertThat(second.values())
                .as("the totals reported by the watch of the closed process")
                .containsExactly(5L, 6L);
        assertThat(below.values())
                .as("the totals reported by a closed watch of a backend")
                .doesNotContain(6L, 7L);
    }

    @Test
    @Rule(value = "3.12", lookAt = "the API layer: an exception of a consumer must not end the thread of the watches")
    final void spec312_exceptionOfAConsumerEndsNoWatch() {
        Counter counter = counter();
        Counter watched = connect().counter(counter.name());
        ReportedReadings failing = new ReportedReadings();
        ReportedReadings other = new ReportedReadings();
        watched.watch(CADENCE, reading -> {
            failing.accept(reading);
            throw new IllegalStateException("thrown by the kit on purpose");
        });
        watched.watch(CADENCE, other);
        for (long total = 0; total <= 3; total++) {
            failing.await(total);
            other.await(total);
            counter.increment();
        }
    }

    @Test
    @Rule(value = "3.13", lookAt = "a read of the watch that fails or hangs: whether it is reported, and retried")
    final void spec313_watchReportsAnOutageAndResumes() {
        Counter counter = counter(1);
        ReportedReadings shown = new ReportedReadings();
        List<CounterException> failures = new CopyOnWriteArrayList<>();
        connect(options().deadline(ConcurrentTasks.SHORT_DEADLINE).build())
                .counter(counter.name())
                .watch(CADENCE, shown, failures::add);
        shown.await(1);
        for (int outage = 1; outage <= 2; outage++) {
            failures.clear();
            await("the failure that the watch reports in outage " + outage)
                    .pollInSameThread()
                    .atMost(ConcurrentTasks.PATIENCE.multipliedBy(2))
                    .until(() -> {
                        outage(() -> !failures.isEmpty());
                        return !failures.isEmpty();
                    });
            assertThat(failures)
                    .as("the failures that the watch reports")
                    .allSatisfy(failure -> assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED));
            counter.increment();
            shown.await(1 + outage);
        }
    }

    @Test
    @Rule(
            value = "3.14",
            lookAt = "what a watch receives while nothing changes: readings of the unchanged total have to be passed"
                    + " to it too")
    final void spec314_watchConfirmsAnUnchangedTotal() {
        Counter counter = counter(5);
        Counter watched = connect().counter(counter.name());
        ReportedReadings shown = new ReportedReadings();
        Watch watch = watched.watch(CADENCE, shown);
        shown.await(5);
        Instant first = latest(watch).asOf();
        await("a newer reading of the unchanged total")
                .atMost(ConcurrentTasks.PATIENCE)
                .until(() -> latest(watch).asOf().isAfter(first));
        assertThat(latest(watch).value()).as("the total").isEqualTo(5);
        assertThat(shown.values()).as("the totals that the consumer received").containsExactly(5L);
        counter.add(1);
        shown.await(6);
        watch.close();
        counter.add(1);
        ReportedReadings other = new ReportedReadings();
        watched.watch(CADENCE, other);
        other.await(7);
        assertThat(latest(watch).value())
                .as("the latest reading of the closed watch")
                .isEqualTo(6);
    }

    static Reading latest(Watch watch) {
        return Objects.requireNonNull(watch.latest(), "the latest reading of a watch that has reported one");
    }
}
