package io.counterkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests watches that poll, and watches that the backend feeds. */
class WatchTest {
    private static final Duration CADENCE = Duration.ofMillis(5);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.none());
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final Counters counters = Counters.over(
            backend, CountersOptions.builder().watchThread(this::thread).build());
    private final Counter likes = counters.counter("likes");
    private final AtomicLong total = new AtomicLong();
    private final List<Long> values = new CopyOnWriteArrayList<>();
    private final List<CounterException> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        counters.close();
    }

    private Thread thread(Runnable watches) {
        Thread thread = new Thread(watches, "watch of a test");
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    private static CompletableFuture<?> answer(long value, Instant asOf, Duration staleness) {
        return CompletableFuture.completedFuture(List.of(Result.of(new Reading(value, asOf, staleness))));
    }

    private void answerWithTotal() {
        backend.others().on("read", () -> answer(total.get(), NOON, Duration.ZERO));
    }

    private static Reading reading(long value, int second) {
        return new Reading(value, NOON.plusSeconds(second), CADENCE);
    }

    private Watch watch() {
        return likes.watch(CADENCE, reading -> values.add(reading.value()), failures::add);
    }

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
    void throwingConsumers_doNotAffectOthers() {
        answerWithTotal();
        AtomicInteger thrown = new AtomicInteger();
        likes.watch(CADENCE, reading -> {
            thrown.incrementAndGet();
            throw new AssertionError("a test's consumer that is wrong");
        });
        watch();
        await().until(() -> thrown.get() == 1 && values.size() == 1);
        total.set(1);
        await().until(() -> thrown.get() == 2 && values.size() == 2);
        assertThat(threads).hasSize(1);
    }

    @Test
    void throwingConsumerOfFailures_doesNotAffectOthers() {
        backend.others().on("read", () -> CompletableFuture.failedFuture(new NotAppliedException("down")));
        likes.watch(CADENCE, reading -> values.add(reading.value()), failure -> {
            failures.add(failure);
            throw new IllegalStateException("a test's consumer that is wrong");
        });
        await().until(() -> failures.size() >= 2);
        answerWithTotal();
        await().untilAsserted(() -> assertThat(values).containsExactly(0L));
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
    void consumer_mayCloseItsOwnWatch() {
        answerWithTotal();
        AtomicReference<Watch> own = new AtomicReference<>();
        CountDownLatch opened = new CountDownLatch(1);
        own.set(likes.watch(CADENCE, reading -> {
            awaitOrFail(opened);
            values.add(reading.value());
            own.get().close();
            total.incrementAndGet();
        }));
        opened.countDown();
        await().until(() -> values.size() == 1);
        awaitEndOf(threads.element());
        assertThat(values).containsExactly(0L);
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
        Thread made = CountersOptions.defaults().watchThread().newThread(() -> {});
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

    /** A backend that feeds its watches. */
    private static final class Telling implements Watch {
        private final AtomicInteger closed = new AtomicInteger();
        private final AtomicReference<CounterStore.Sink> sink = new AtomicReference<>();

        Watch open(CounterStore.Sink sink) {
            this.sink.set(sink);
            return this;
        }

        CounterStore.Sink sink() {
            return sink.get();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private Telling telling() {
        Telling telling = new Telling();
        backend.watch(telling::open);
        return telling;
    }

    @Test
    void backendThatFeedsTheWatch_isNotPolled() {
        Telling telling = telling();
        Watch watch = watch();
        telling.sink().reading(reading(4, 0));
        telling.sink().failure(new NotAppliedException("for a while"));
        await().untilAsserted(() -> assertThat(values).containsExactly(4L));
        await().untilAsserted(() -> assertThat(failures).hasSize(1));
        assertThat(telling.sink().call().remaining())
                .isPositive()
                .isLessThanOrEqualTo(CountersOptions.defaults().deadline());
        watch.close();
        assertThat(telling.closed).hasValue(1);
        telling.sink().reading(reading(5, 1));
        telling.sink().failure(new NotAppliedException("too late"));
        assertThat(backend.others().asked()).isEmpty();
        counters.close();
        assertThat(telling.closed).as("once only").hasValue(1);
        assertThat(values).containsExactly(4L);
        assertThat(failures).hasSize(1);
    }

    @Test
    void closeOfTheCounters_closesTheBackendsWatch() {
        Telling telling = telling();
        watch();
        counters.close();
        assertThat(telling.closed).hasValue(1);
    }

    @Test
    void exceptionOfAConsumer_isLogged() {
        Telling telling = telling();
        Queue<LogRecord> logged = new ConcurrentLinkedQueue<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord event) {
                logged.add(event);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(Watch.class.getName());
        logger.addHandler(handler);
        try {
            Error wrong = new AssertionError("a test's consumer that is wrong");
            likes.watch(CADENCE, reading -> {
                throw wrong;
            });
            telling.sink().failure(new NotAppliedException("an outage without a consumer"));
            telling.sink().reading(reading(4, 0));
            await().untilAsserted(() -> assertThat(logged)
                    .anySatisfy(event -> assertThat(event.getThrown()).isSameAs(wrong))
                    .anySatisfy(event -> assertThat(event.getThrown()).hasMessage("an outage without a consumer"))
                    .allSatisfy(event -> assertThat(event.getMessage()).contains("'likes'")));
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void readingsFasterThanTheCadence_areThrottledToTheNewest() {
        Telling telling = telling();
        List<Reading> shown = new CopyOnWriteArrayList<>();
        List<Long> shownAt = new CopyOnWriteArrayList<>();
        CountDownLatch allSent = new CountDownLatch(1);
        likes.watch(Duration.ofSeconds(1), reading -> {
            shownAt.add(System.nanoTime());
            shown.add(reading);
            awaitOrFail(allSent); // the next delivery is at least a second later, after all of them
        });
        long began = System.nanoTime();
        telling.sink().reading(reading(0, 0));
        await().until(() -> shown.size() == 1);
        for (int i = 1; i <= 50; i++) {
            telling.sink().reading(reading(i, i));
        }
        telling.sink().reading(reading(17, 17));
        allSent.countDown();
        await().until(() -> shown.size() == 2);
        assertThat(shownAt.get(1) - began).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
        assertThat(shown.get(1).value()).isEqualTo(50);
        assertThat(shown.get(1).asOf()).isEqualTo(NOON.plusSeconds(50));
        assertThat(shown.get(1).staleness()).as("it has grown older meanwhile").isGreaterThan(CADENCE);
    }

    @Test
    void latest_isRefreshedByUnchangedReadings() {
        Telling telling = telling();
        Watch watch = watch();
        assertThat(watch.latest()).isNull();
        telling.sink().reading(reading(4, 0));
        await().untilAsserted(() -> assertThat(values).containsExactly(4L));
        telling.sink().reading(new Reading(4, NOON.plusSeconds(1), DAY));
        telling.sink().reading(reading(3, 0)); // older
        assertThat(watch.latest()).satisfies(latest -> {
            assertThat(latest.value()).isEqualTo(4);
            assertThat(latest.asOf()).isEqualTo(NOON.plusSeconds(1));
            assertThat(latest.staleness()).isGreaterThan(DAY);
        });
        assertThat(values).containsExactly(4L);
    }

    @Test
    void latest_agesWhileTheCounterCannotBeRead() {
        answerWithTotal();
        Watch watch = watch();
        await().until(() -> !values.isEmpty());
        backend.others().on("read", () -> CompletableFuture.failedFuture(new NotAppliedException("down")));
        await().until(() -> failures.size() >= 2);
        Duration before = requireNonNull(watch.latest()).staleness();
        await().until(() -> failures.size() >= 3);
        assertThat(watch.latest())
                .satisfies(latest -> assertThat(latest.staleness()).isGreaterThan(before));
        answerWithTotal();
        await().untilAsserted(() -> assertThat(watch.latest())
                .satisfies(latest -> assertThat(latest.staleness()).isLessThan(before)));
        assertThat(values).as("it is back, and has not changed").containsExactly(0L);
    }

    @Test
    void latest_ofAClosedWatchIsTheLastReading() {
        answerWithTotal();
        Watch watch = watch();
        await().until(() -> watch.latest() != null);
        watch.close();
        total.set(1);
        List<Long> others = new CopyOnWriteArrayList<>();
        likes.watch(CADENCE, reading -> others.add(reading.value()));
        await().until(() -> others.contains(1L));
        assertThat(watch.latest())
                .satisfies(latest -> assertThat(latest.value()).isZero());
    }

    @Test
    void failureToOpen_isThrownToTheCaller() {
        backend.watch(sink -> {
            throw new IllegalStateException("no");
        });
        assertThatThrownBy(this::watch).hasMessage("no");
    }

    @Test
    void slowConsumer_isNotCalledConcurrently() {
        Telling telling = telling();
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        Consumer<Reading> slow = reading -> {
            assertThat(inside.incrementAndGet()).isOne();
            awaitOrFail(goOn);
            values.add(reading.value());
            inside.decrementAndGet();
        };
        likes.watch(CADENCE, slow);
        telling.sink().reading(reading(1, 1));
        await().until(() -> inside.get() == 1);
        telling.sink().reading(reading(2, 2));
        telling.sink().reading(reading(3, 3));
        goOn.countDown();
        await().untilAsserted(() -> assertThat(values).containsExactly(1L, 3L));
    }

    private static void awaitEndOf(Thread thread) {
        await().atMost(Replies.PATIENCE).until(() -> !thread.isAlive());
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
