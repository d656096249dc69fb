package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.Trial;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * Watches of a backend, without the API layer, that are closed while they report or read.
 *
 * @param tasks run the close of a watch
 * @param counters of a backend that provides watches
 * @param cadence of the watches
 */
record ClosingWatches(ConcurrentTasks tasks, CounterStore counters, Duration cadence) {
    /** How many readings of another watch a closed one would report too. */
    private static final int FURTHER = 5;

    /** Returns whether the backend provides watches itself. */
    boolean isProvided(String name) {
        Watch watch = counters.watch(name, cadence, new ReportedReadings());
        if (watch != null) {
            watch.close();
        }
        return watch != null;
    }

    /** Closes a watch in its own report, while another one is open. */
    void checkClosedInItsReport(Counter counter) {
        long total = counter.get();
        ReportedReadings other = new ReportedReadings();
        ClosesItself closing = new ClosesItself();
        try (Watch beside = watch(counter, other)) {
            closing.open.complete(watch(counter, closing));
            await("the end of a watch that is closed in its own report: its close must not wait for that report")
                    .atMost(ConcurrentTasks.PATIENCE)
                    .until(closing.closed::isDone);
            checkNothingMore(counter, total + 1, other, closing.readings);
            assertThat(beside).isNotNull();
        }
    }

    /** Closes a watch while its read is held. */
    void checkClosedInItsRead(Counter counter) throws Exception {
        long total = counter.get();
        ReportedReadings closed = new ReportedReadings();
        Watch watch = watch(counter, closed);
        closed.await(total);
        Future<?> closing;
        try (Trial held = tasks.hold(1)) {
            ConcurrentTasks.awaitBriefly(held::isHit);
            closing = tasks.start(watch::close);
            ConcurrentTasks.awaitBriefly(closing::isDone);
        }
        ConcurrentTasks.result(closing);
        ReportedReadings other = new ReportedReadings();
        try (Watch later = watch(counter, other)) {
            other.await(total);
            checkNothingMore(counter, total + 1, other, closed);
            assertThat(later).isNotNull();
        }
    }

    private Watch watch(Counter counter, CounterStore.Sink sink) {
        return Objects.requireNonNull(counters.watch(counter.name(), cadence, sink), "a watch, as before");
    }

    /** Adds 1, and checks that an open watch reports the new total often while the closed one does not. */
    private static void checkNothingMore(Counter counter, long total, ReportedReadings open, ReportedReadings closed) {
        counter.add(1);
        open.await(total);
        int before = open.readings.size();
        await("readings of an open watch beside one that was closed while it reported or read")
                .atMost(ConcurrentTasks.PATIENCE)
                .until(() -> open.readings.size() >= before + FURTHER);
        assertThat(closed.values())
                .as(
                        "the totals reported by a watch that was closed before the total became %s: end it also if it is"
                                + " closed while it reports or reads",
                        total)
                .doesNotContain(total);
    }

    /** Closes the watch in the first report that can do so. */
    private static final class ClosesItself implements CounterStore.Sink {
        private final ReportedReadings readings = new ReportedReadings();
        private final CompletableFuture<Watch> open = new CompletableFuture<>();
        private final CompletableFuture<Void> closed = new CompletableFuture<>();

        @Override
        public Call call() {
            return readings.call();
        }

        @Override
        public void reading(Reading reading) {
            readings.reading(reading);
            Watch watch = open.getNow(null);
            if (watch != null && !closed.isDone()) {
                watch.close();
                closed.complete(null);
            }
        }

        @Override
        public void failure(CounterException failure) {
            readings.failure(failure);
        }
    }
}
