package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterkit.fixture.Replies;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Watches of a counter that is polled: what they report, and how long. */
class WatchTest extends WatchSetup {
    /** Waits until more reads have arrived. */
    private void awaitReads(int more) {
        int before = backend.others().asked().size();
        await().until(() -> backend.others().asked().size() >= before + more);
    }

    @Test
    void poll_deliversTheFirstTotalAndThenChangesOnly() {
        answerWithTotal();
        watch();
        await().untilAsserted(() -> assertThat(values).containsExactly(0L));
        awaitReads(3);
        total.set(7);
        await().untilAsserted(() -> assertThat(values).containsExactly(0L, 7L));
        awaitReads(3);
        total.set(3);
        await().untilAsserted(() -> assertThat(values).containsExactly(0L, 7L, 3L));
        assertThat(backend.others().asked()).containsOnly("read [likes] PT0.005S");
        assertThat(failures).isEmpty();
    }

    @Test
    void poll_readsOneAtATime() throws InterruptedException {
        BlockingQueue<CompletableFuture<Object>> asked = new LinkedBlockingQueue<>();
        AtomicBoolean isOverlapping = new AtomicBoolean();
        AtomicInteger running = new AtomicInteger();
        backend.others().on("read", () -> {
            isOverlapping.compareAndSet(false, running.incrementAndGet() > 1);
            CompletableFuture<Object> reply = new CompletableFuture<>();
            asked.add(reply);
            return reply;
        });
        watch();
        for (int i = 1; i <= 3; i++) {
            CompletableFuture<Object> reply = asked.poll(Replies.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(reply).as("read %s", i).isNotNull();
            running.decrementAndGet();
            reply.complete(List.of(Result.of(reading(i, i))));
            long value = i;
            await().until(() -> values.contains(value));
        }
        assertThat(values).containsExactly(1L, 2L, 3L);
        assertThat(isOverlapping).isFalse();
        answerWithTotal();
        asked.take().complete(List.of(Result.of(reading(4, 4)))); // otherwise close would wait for it
    }

    @Test
    void olderReading_isIgnored() {
        List<Reading> script = List.of(reading(1, 1), reading(3, 3), reading(2, 2), reading(4, 4));
        AtomicInteger next = new AtomicInteger();
        backend.others().on("read", () -> {
            Reading reading = script.get(Math.min(next.getAndIncrement(), 3));
            return answer(reading.value(), reading.asOf(), reading.staleness());
        });
        watch();
        await().untilAsserted(() -> assertThat(values).endsWith(4L));
        assertThat(values).containsExactly(1L, 3L, 4L);
    }

    @Test
    void strongReading_isDeliveredAfterAClockWasSetBack() {
        AtomicLong seconds = new AtomicLong();
        backend.others().on("read", () -> answer(total.get(), NOON.minusSeconds(seconds.get()), Duration.ZERO));
        watch();
        await().until(() -> !values.isEmpty());
        seconds.set(3600);
        total.set(5);
        await().untilAsserted(() -> assertThat(values).containsExactly(0L, 5L));
    }

    @Test
    void outage_isReportedAndSurvived() {
        CompletableFuture<?> down = CompletableFuture.failedFuture(new NotAppliedException("the store is down"));
        backend.others().on("read", () -> down);
        watch();
        await().until(() -> failures.size() >= 2);
        assertThat(failures).allSatisfy(failure -> assertThat(failure).hasMessageContaining("the store is down"));
        total.set(9);
        answerWithTotal();
        await().untilAsserted(() -> assertThat(values).containsExactly(9L));
    }

    @Test
    void hangingRead_isReportedAtTheDeadline() {
        backend.others().on("read", CompletableFuture::new);
        Counters hasty = Counters.over(
                backend,
                CountersOptions.builder().deadline(Duration.ofMillis(200)).build());
        hasty.counter("likes").watch(CADENCE, reading -> values.add(reading.value()), failures::add);
        await().untilAsserted(() -> assertThat(failures)
                .first()
                .isInstanceOf(NotAppliedException.class)
                .satisfies(failure -> assertThat(failure).hasMessageContaining("likes")));
        answerWithTotal();
        await().untilAsserted(() -> assertThat(values).containsExactly(0L));
        hasty.close();
    }

    @Test
    void close_endsReading() {
        answerWithTotal();
        Watch closed = watch();
        await().until(() -> !values.isEmpty());
        closed.close();
        closed.close();
        List<Long> others = new CopyOnWriteArrayList<>();
        counters.counter("others").watch(CADENCE, reading -> others.add(reading.value()));
        backend.others().asked().clear();
        total.set(1);
        await().until(() -> others.contains(1L));
        assertThat(values).containsExactly(0L);
        awaitReads(3);
        assertThat(backend.others().asked().stream().filter("read [likes] PT0.005S"::equals))
                .as("but for one that was on its way")
                .hasSizeLessThan(2);
    }

    @Test
    void closeOfTheCounters_endsWatchesAndTheirThread() {
        answerWithTotal();
        watch();
        await().until(() -> !values.isEmpty());
        counters.close();
        total.set(1);
        awaitEndOf(threads.element());
        assertThat(values).containsExactly(0L);
        assertThatIllegalStateException().isThrownBy(this::watch).withMessageContaining("closed");
    }

    @Test
    void watches_shareOneThreadThatEndsWithTheLastOfThem() {
        answerWithTotal();
        Set<Thread> ran = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 20; i++) {
            Watch watch = counters.counter("likes" + i).watch(CADENCE, reading -> {
                values.add(reading.value());
                ran.add(Thread.currentThread());
            });
            int shown = i + 1;
            await().until(() -> values.size() == shown);
            watch.close();
        }
        assertThat(ran).hasSameElementsAs(threads).hasSize(1);
        awaitEndOf(threads.element());
        watch();
        await().until(() -> values.size() == 21);
    }

    @Test
    void thread_isADaemonUnlessTheApplicationMakesIt() {
        Thread made = CountersOptions.defaults().backgroundThreads().newThread(() -> {});
        assertThat(made.isDaemon()).isTrue();
        assertThat(made.getName()).isEqualTo("counterkit-watch");
    }

    @Test
    void cadenceOutsideItsBounds_isRefused() {
        for (Duration cadence :
                List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(999_999), DAY.plusNanos(1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> likes.watch(cadence, reading -> {}))
                    .withMessage("cadence " + Durations.inWords(cadence) + ": use 1 ms to 1 day");
        }
        likes.watch(DAY, reading -> {}).close();
        likes.watch(Duration.ofMillis(1), reading -> {}).close();
    }

    @Test
    void failureToOpen_isThrownToTheCaller() {
        backend.watch(sink -> {
            throw new IllegalStateException("no");
        });
        assertThatThrownBy(this::watch).hasMessage("no");
    }

    /** The thread of the watches ends after a second without work, so the next read needs another one. */
    @Test
    void threadThatCannotBeCreatedForAWhile_delaysTheNextRead() {
        answerWithTotal();
        likes.watch(Duration.ofMillis(1500), reading -> values.add(reading.value()));
        await().untilAsserted(() -> assertThat(values).containsExactly(0L));
        threadsToFail.set(1);
        await().untilAsserted(() -> assertThat(threadsToFail).hasNonPositiveValue());
        total.set(1);
        await().untilAsserted(() -> assertThat(values).containsExactly(0L, 1L));
    }

    @Test
    void threadThatCannotBeCreatedAtFirst_failsToOpen() {
        answerWithTotal();
        threadsToFail.set(1);
        assertThatIllegalStateException().isThrownBy(this::watch).withMessageContaining("creates no thread");
        watch();
        await().until(() -> values.size() == 1);
    }

    @Test
    void factoryThatReturnsNoThread_failsToOpen() {
        CountersOptions without =
                CountersOptions.builder().backgroundThreads(task -> null).build();
        try (Counters unthreaded = Counters.over(backend, without)) {
            assertThatThrownBy(() -> unthreaded.counter("likes").watch(CADENCE, reading -> {}))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("the factory of background threads returned null");
        }
    }
}
