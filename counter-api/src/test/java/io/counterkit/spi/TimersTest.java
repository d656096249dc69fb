package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final String name = "timers-" + UUID.randomUUID();
    private final Timers timers = Timers.named(name);

    @AfterEach
    void close() {
        timers.close();
    }

    @Test
    void executor_runsTasksOnNamedDaemonThreads() {
        CompletableFuture<Thread> ran = CompletableFuture.supplyAsync(Thread::currentThread, timers.executor());
        assertThat(ran.join()).satisfies(thread -> {
            assertThat(thread.getName()).startsWith(name);
            assertThat(thread.isDaemon()).isTrue();
        });
    }

    @Test
    void orTimeout_completesWhatDoesNotAnswer() {
        CompletableFuture<String> silent = timers.orTimeout(new CompletableFuture<>(), 1, "the store did not answer");
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(silent::join)
                .havingCause()
                .isInstanceOf(TimeoutException.class)
                .withMessage("the store did not answer");
    }

    @Test
    void orTimeout_leavesAnAnswer() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<String> same = timers.orTimeout(answer, TimeUnit.HOURS.toNanos(1), "late");
        answer.complete("here");
        assertThat(same.join()).isEqualTo("here");
    }

    @Test
    void aWorkerThatIsBusy_delaysNoTimer() {
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> awaitQuietly(busy), timers.executor());
        CompletableFuture<Void> second = timers.after(1);
        assertThat(second).succeedsWithin(Duration.ofMinutes(1));
        assertThat(first).isNotDone();
        busy.countDown();
        first.join();
    }

    @Test
    void workersThatAllBlock_delayNoTimer() {
        CountDownLatch busy = new CountDownLatch(1);
        try {
            List<CompletableFuture<Void>> blocked = Stream.generate(
                            () -> CompletableFuture.runAsync(() -> awaitQuietly(busy), timers.executor()))
                    .limit(100)
                    .toList();
            assertThat(timers.after(1)).succeedsWithin(Duration.ofMinutes(1));
            assertThat(timers.orTimeout(new CompletableFuture<>(), 1, "silent")).failsWithin(Duration.ofMinutes(1));
            assertThat(blocked).noneMatch(CompletableFuture::isDone);
        } finally {
            busy.countDown();
        }
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void timersThatAreCancelled_wakeNoThread() {
        int started = 2_000;
        timers.after(1).join();
        Thread clock = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name + "-timer"))
                .findFirst()
                .orElseThrow();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getThreadInfo(clock.getId()).getWaitedCount();
        ExecutorService other = Executors.newSingleThreadExecutor(); // that of the timers would use the clock
        for (int i = 0; i < started; i++) {
            timers.after(TimeUnit.HOURS.toNanos(1)).cancel(false);
            CompletableFuture.runAsync(() -> {}, other).join(); // lets the clock run
        }
        other.shutdown();
        assertThat(threads.getThreadInfo(clock.getId()).getWaitedCount() - before)
                .isLessThan(started / 10);
    }

    /** As where a container has reached its limit of threads for a moment. */
    @Test
    void threadsThatCannotBeStarted_areTriedAgain() {
        try (Timers scarce = new Timers(refusing(2), refusing(2))) {
            CompletableFuture<Void> first = scarce.after(1);
            CompletableFuture<Void> second = scarce.after(1);
            assertThat(first).succeedsWithin(Duration.ofMinutes(1));
            assertThat(second).succeedsWithin(Duration.ofMinutes(1));
        }
        try (Timers scarce = new Timers(refusing(0), refusing(1))) {
            assertThat(CompletableFuture.runAsync(() -> {}, scarce.executor())).succeedsWithin(Duration.ofMinutes(1));
        }
    }

    /** Returns a factory whose first threads cannot be started. */
    private static ThreadFactory refusing(int number) {
        AtomicInteger left = new AtomicInteger(number);
        return task -> {
            if (left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        };
    }

    @Test
    void close_endsThreadsAndWhatIsPending() {
        CompletableFuture<Void> far = timers.after(TimeUnit.HOURS.toNanos(1));
        timers.after(1).join();
        timers.close();
        timers.close();
        assertThatThrownBy(far::join).hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(timers.after(1)::join).hasCauseInstanceOf(IllegalStateException.class);
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void threadsThatAreIdle_end() {
        timers.after(1).join();
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    private Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(each -> each.startsWith(name))
                .collect(Collectors.toSet());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
