package io.counterkit;

import static org.awaitility.Awaitility.await;

import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;

/** Counters over a scripted backend, and a watch of one of them. */
abstract class WatchSetup {
    static final Duration CADENCE = Duration.ofMillis(5);
    static final Duration DAY = Duration.ofDays(1);
    static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    final ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.none());
    final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

    /** How many of the next threads cannot be created. */
    final AtomicInteger threadsToFail = new AtomicInteger();

    final Counters counters = Counters.over(
            backend, CountersOptions.builder().backgroundThreads(this::thread).build());

    final Counter likes = counters.counter("likes");
    final AtomicLong total = new AtomicLong();
    final List<Long> values = new CopyOnWriteArrayList<>();
    final List<CounterException> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        counters.close();
    }

    Thread thread(Runnable watches) {
        if (threadsToFail.getAndDecrement() > 0) {
            throw new IllegalStateException("a test's factory that creates no thread for a while");
        }
        Thread thread = new Thread(watches, "watch of a test");
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    static CompletableFuture<?> answer(long value, Instant asOf, Duration staleness) {
        return CompletableFuture.completedFuture(List.of(Result.of(new Reading(value, asOf, staleness))));
    }

    void answerWithTotal() {
        backend.others().on("read", () -> answer(total.get(), NOON, Duration.ZERO));
    }

    static Reading reading(long value, int second) {
        return new Reading(value, NOON.plusSeconds(second), CADENCE);
    }

    Watch watch() {
        return likes.watch(CADENCE, reading -> values.add(reading.value()), failures::add);
    }

    /** A backend that feeds its watches. */
    static final class FedWatch implements Watch {
        final AtomicInteger closed = new AtomicInteger();
        final AtomicReference<CounterStore.Sink> sink = new AtomicReference<>();

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

    FedWatch fed() {
        FedWatch fed = new FedWatch();
        backend.watch(fed::open);
        return fed;
    }

    static void awaitEndOf(Thread thread) {
        await().atMost(Replies.PATIENCE).until(() -> !thread.isAlive());
    }

    static void awaitOrFail(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
