package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A watch of a backend that reports changes. Polls are at least a cadence apart, so a read that begins much sooner was
 * caused by a report.
 */
class ListeningWatchTest extends WatchSetup {
    private static final Duration CADENCE = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<Long> begins = new CopyOnWriteArrayList<>();
    private final AtomicInteger closed = new AtomicInteger();
    private volatile Runnable report = () -> {};

    @BeforeEach
    void script() {
        backend.listenToCounters(this::listen);
        backend.others().on("read", () -> {
            begins.add(System.nanoTime());
            return answer(total.get(), NOON, Duration.ZERO);
        });
    }

    private Listening listen(Runnable changed) {
        report = changed;
        return new Listening() {
            @Override
            public boolean isLive() {
                return true;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }

    private Watch watch(Duration cadence) {
        return likes.watch(cadence, reading -> values.add(reading.value()), failures::add);
    }

    private void awaitRead(int count) {
        await().atMost(PATIENCE).until(() -> begins.size() >= count);
    }

    /** Returns whether a read began much sooner than a poll after the one before it. */
    private boolean isSooner(int read) {
        return begins.get(read) - begins.get(read - 1) < CADENCE.toNanos() / 2;
    }

    /** A busy machine may delay one report by a cadence, but not each. */
    @Test
    void reportedChange_isReadAndDeliveredBeforeTheNextPoll() {
        watch(CADENCE);
        await().atMost(PATIENCE).until(() -> {
            int polls = begins.size();
            awaitRead(polls + 1);
            long changed = total.incrementAndGet();
            report.run();
            awaitRead(polls + 2);
            await().atMost(PATIENCE).until(() -> values.contains(changed));
            return isSooner(polls + 1);
        });
        assertThat(values).isSorted().doesNotHaveDuplicates();
    }

    /** The report arrives while the answer with the total before it is on its way. */
    @Test
    void reportDuringARead_isKept() {
        watch(CADENCE);
        await().atMost(PATIENCE).until(() -> {
            int polls = begins.size();
            CompletableFuture<Object> old = new CompletableFuture<>();
            backend.others().on("read", () -> {
                begins.add(System.nanoTime());
                script();
                return old;
            });
            awaitRead(polls + 1);
            long before = total.getAndIncrement();
            report.run();
            old.complete(List.of(Result.of(new Reading(before, NOON, Duration.ZERO))));
            awaitRead(polls + 2);
            return isSooner(polls + 1);
        });
        await().atMost(PATIENCE).until(() -> values.contains(total.get()));
    }

    /** The poll after an outage is due, whatever was reported meanwhile, and is not the read that reports may cause. */
    @Test
    void changeAfterAPollThatCoincidesWithAReport_isReadBeforeTheNextPoll() {
        watch(CADENCE);
        await().atMost(PATIENCE).until(() -> {
            int polls = begins.size();
            backend.others().on("read", () -> {
                begins.add(System.nanoTime());
                report.run();
                backend.others().on("read", this::changeDuringARead);
                return CompletableFuture.failedFuture(new NotAppliedException("the store is down"));
            });
            awaitRead(polls + 3);
            return isSooner(polls + 2);
        });
        await().atMost(PATIENCE).until(() -> values.contains(total.get()));
    }

    private CompletableFuture<Object> changeDuringARead() {
        begins.add(System.nanoTime());
        long before = total.getAndIncrement();
        report.run();
        script();
        return CompletableFuture.completedFuture(List.of(Result.of(new Reading(before, NOON, Duration.ZERO))));
    }

    @Test
    void reportsWithoutAPause_causeOneMoreReadPerCadenceAtMost() {
        Duration cadence = Duration.ofMillis(20);
        long start = System.nanoTime();
        watch(cadence);
        await().pollInterval(Duration.ofNanos(100_000)).atMost(PATIENCE).until(() -> {
            for (int i = 0; i < 100; i++) {
                total.addAndGet(i % 2 == 0 ? 1 : -1);
                report.run();
            }
            return begins.size() >= 20;
        });
        int reads = begins.size();
        long cadences = (System.nanoTime() - start) / cadence.toNanos() + 1;
        assertThat((long) reads).isLessThanOrEqualTo(2 * cadences);
    }

    /** The change of a total is delivered once per cadence, so a read in between would be useless. */
    @Test
    void reportAfterADelivery_isReadWhenTheNextOneIsPossible() {
        watch(DAY);
        awaitRead(1);
        await().atMost(PATIENCE).until(() -> values.contains(0L));
        total.set(1);
        report.run();
        backend.others().asked().clear();
        Watch others = counters.counter("others").watch(Duration.ofMillis(5), reading -> {});
        await().atMost(PATIENCE).until(() -> backend.others().asked().size() >= 20);
        others.close();
        assertThat(backend.others().asked()).noneMatch(read -> read.startsWith("read [likes]"));
    }

    @Test
    void reports_doNotShortenThePausesOfAnOutage() {
        backend.others().on("read", () -> {
            begins.add(System.nanoTime());
            return CompletableFuture.failedFuture(new NotAppliedException("the store is down"));
        });
        watch(Duration.ofMillis(1));
        await().pollInterval(Duration.ofMillis(1)).atMost(PATIENCE).until(() -> {
            report.run();
            return begins.size() >= 3;
        });
        assertThat(begins.get(2) - begins.get(0)) // 300 ms, less what the first one was late
                .isGreaterThan(Duration.ofMillis(150).toNanos());
    }

    @Test
    void close_endsTheListening() {
        Watch watch = watch(DAY);
        awaitRead(1);
        assertThat(closed).hasValue(0);
        watch.close();
        assertThat(closed).hasValue(1);
        report.run();
        watch(DAY);
        awaitRead(2);
        counters.close();
        assertThat(closed).hasValue(2);
        report.run();
        assertThat(begins).hasSize(2);
    }
}
