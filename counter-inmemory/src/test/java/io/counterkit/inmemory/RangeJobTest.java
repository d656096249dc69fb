package io.counterkit.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.RangeJob;
import io.counterkit.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processing by number ranges: in parallel, after failures, and by several processes. */
class RangeJobTest {
    private static final int PARTS = 4;
    private static final long LAST = 1_003;

    private final InMemoryStore store = InMemoryStore.create();
    private final Counters counters = Counters.over(InMemoryBackend.over(store));
    private final Sequence orders = counters.sequence("orders");
    private final ExecutorService executor = Executors.newFixedThreadPool(PARTS);
    private final Queue<Long> processed = new ConcurrentLinkedQueue<>();

    RangeJobTest() {
        for (long number = 1; number <= LAST; number++) {
            assertThat(orders.next()).isEqualTo(number);
        }
    }

    @AfterEach
    void close() {
        store.faults().clear();
        executor.shutdownNow();
        counters.close();
    }

    private RangeJob job() {
        return RangeJob.of(
                orders,
                new NumberRange(1, LAST),
                PARTS,
                range -> counters.counter("export/" + range.from() + "-" + range.to()));
    }

    private void record(Entry entry) {
        processed.add(entry.number());
    }

    private static List<Long> all() {
        return LongStream.rangeClosed(1, LAST).boxed().toList();
    }

    @Test
    void everyEntryIsProcessedOnce() {
        RangeJob job = job();
        assertThat(job.processed()).isZero();
        job.run(executor, this::record);
        assertThat(processed).containsExactlyInAnyOrderElementsOf(all());
        assertThat(job.processed()).isEqualTo(LAST);
        job().run(executor, this::record);
        assertThat(processed).hasSize((int) LAST);
    }

    /** The adds that move the progress are the same as before, and are known by their tokens. */
    @Test
    void jobWhoseProgressWasSetBack_processesEveryEntryOnceMore() {
        job().run(executor, this::record);
        new NumberRange(1, LAST)
                .partition(PARTS)
                .forEach(range -> counters.counter("export/" + range.from() + "-" + range.to())
                        .reset());
        job().run(executor, this::record);
        assertThat(job().processed()).isEqualTo(LAST);
        job().run(executor, this::record);
        assertThat(processed).hasSize(2 * (int) LAST);
    }

    @Test
    void rangesAreProcessedInParallel() {
        CyclicBarrier together = new CyclicBarrier(PARTS);
        AtomicInteger first = new AtomicInteger();
        job().run(executor, entry -> {
            if (first.incrementAndGet() <= PARTS) {
                meet(together);
            }
            record(entry);
        });
        assertThat(processed).hasSize((int) LAST);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void throwingConsumer_stopsTheJobAndNothingIsRepeated() {
        RuntimeException wrong = new IllegalStateException("a test's consumer that is wrong");
        assertThatThrownBy(() -> job().run(executor, entry -> {
                    if (entry.number() == 300) {
                        throw wrong;
                    }
                    record(entry);
                }))
                .isSameAs(wrong);
        assertThat(job().processed()).isEqualTo(processed.size());
        job().run(executor, this::record);
        assertThat(processed).containsExactlyInAnyOrderElementsOf(all());
    }

    /** What a run processes and cannot store is lost with its process. */
    @Test
    void crashesRepeatAtMostAPageOfEachRangeAndSkipNothing() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Long> before = new ArrayList<>();
        for (int crash = 0; crash < 2; crash++) {
            crashAfter(random.nextInt(300));
            long stored = job().processed();
            assertThat(processed.size() - before.size())
                    .as("processed by run %s of seed %s", crash, seed)
                    .isLessThanOrEqualTo(301 + PARTS);
            assertThat(processed.stream().distinct().count() - stored)
                    .as("not stored after run %s of seed %s", crash, seed)
                    .isBetween(0L, 100L * PARTS);
            before = new ArrayList<>(processed);
        }
        job().run(executor, this::record);
        assertThat(processed.stream().distinct().toList())
                .as("seed %s", seed)
                .containsExactlyInAnyOrderElementsOf(all());
    }

    private void crashAfter(int entries) {
        AtomicInteger left = new AtomicInteger(entries);
        assertThatThrownBy(() -> job().run(executor, entry -> {
                    if (left.getAndDecrement() <= 0) {
                        store.faults().inject(Fault.FAIL, Calls.all());
                        throw new AssertionError("a crash");
                    }
                    record(entry);
                }))
                .isInstanceOfAny(AssertionError.class, CounterException.class);
        store.faults().clear();
    }

    @Test
    void lostRepliesAndFailuresOfTheStoreAreRetried() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.all().withChance(0.12, new Random(2)));
        job().run(executor, this::record);
        store.faults().clear();
        assertThat(processed).containsExactlyInAnyOrderElementsOf(all());
        assertThat(job().processed()).isEqualTo(LAST);
    }

    @Test
    void twoRunsAtOnceSkipNothing() throws InterruptedException {
        ExecutorService others = Executors.newFixedThreadPool(PARTS);
        Thread other = new Thread(() -> job().run(others, this::record));
        other.start();
        job().run(executor, this::record);
        other.join();
        others.shutdown();
        assertThat(processed).containsAll(all());
        assertThat(job().processed()).isEqualTo(LAST);
    }

    @Test
    void interruptedRun_stopsAndCanBeContinued() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayContinue = new CountDownLatch(1);
        List<Throwable> thrown = new ArrayList<>();
        Thread running = new Thread(() -> {
            try {
                job().run(executor, slow(started, mayContinue));
            } catch (CancellationException e) {
                thrown.add(e);
                thrown.add(new IllegalStateException(
                        "flag " + Thread.currentThread().isInterrupted()));
            }
        });
        running.start();
        started.await();
        running.interrupt();
        await().until(() -> !running.isInterrupted());
        mayContinue.countDown();
        running.join();
        assertThat(thrown)
                .extracting(Throwable::getMessage)
                .containsExactly("processing 'orders' was interrupted: run the job again to continue", "flag true");
        assertThat(processed).hasSizeLessThan((int) LAST);
        job().run(executor, this::record);
        assertThat(processed).containsExactlyInAnyOrderElementsOf(all());
    }

    private Consumer<Entry> slow(CountDownLatch started, CountDownLatch mayContinue) {
        return entry -> {
            record(entry);
            started.countDown();
            try {
                mayContinue.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
    }

    @Test
    void wrongArgumentsAndProgressAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RangeJob.of(orders, new NumberRange(1, 2), 0, range -> counters.counter("a")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RangeJob.of(orders, new NumberRange(1, LAST + 1), 2, range -> counters.counter("a"))
                        .run(executor, this::record))
                .withMessage("number 1004 is not in 'orders', which ends at 1003: use numbers up to its last one");
        counters.counter("b").add(3);
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> RangeJob.of(orders, new NumberRange(1, 2), 1, range -> counters.counter("b"))
                        .run(executor, this::record))
                .withMessage("the progress 'b' is 3, but its range has 2 entries: use a counter that only this job"
                        + " changes");
        executor.shutdown();
        assertThatThrownBy(() -> job().run(executor, this::record)).isInstanceOf(RejectedExecutionException.class);
        assertThat(processed).isEmpty();
    }

    /** As a pool does that cannot start another thread. The range that runs has to end before the job does. */
    @Test
    void errorOfTheExecutor_stopsTheRangesThatRun() throws InterruptedException {
        Error full = new OutOfMemoryError("unable to create a thread, in a test");
        AtomicInteger started = new AtomicInteger();
        CountDownLatch allStarted = new CountDownLatch(1);
        assertThatThrownBy(() -> job().run(
                                task -> {
                                    if (started.incrementAndGet() == PARTS) {
                                        allStarted.countDown();
                                    }
                                    if (started.get() > 1) {
                                        throw full;
                                    }
                                    executor.execute(task);
                                },
                                entry -> {
                                    awaitStart(allStarted);
                                    record(entry);
                                }))
                .isSameAs(full);
        long stored = job().processed();
        allStarted.countDown();
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(processed).hasSize((int) stored);
        assertThat(stored).isLessThanOrEqualTo(1);
    }

    private static void awaitStart(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The thread is interrupted before it waits, and would wait for the dropped ranges otherwise. */
    @Test
    void interrupt_endsTheWaitForRangesThatTheExecutorDropped() {
        Thread.currentThread().interrupt();
        AtomicInteger started = new AtomicInteger();
        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(() -> job().run(
                                task -> {
                                    if (started.getAndIncrement() == 0) {
                                        executor.execute(task);
                                    }
                                },
                                this::record));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(job().processed()).isEqualTo(processed.size()).isLessThan(LAST);
    }

    @Test
    void rangeThatIsDropped_doesNotBeginLater() throws InterruptedException {
        Queue<Runnable> late = new ConcurrentLinkedQueue<>();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> job().run(late::add, this::record));
        assertThat(Thread.interrupted()).isTrue();
        late.forEach(Runnable::run);
        assertThat(processed).isEmpty();
    }

    @Test
    void executorThatEnds_isReported() {
        ExecutorService single = Executors.newSingleThreadExecutor();
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> job().run(single, entry -> {
                    single.shutdownNow();
                    record(entry);
                }))
                .withMessageContaining(
                        "the executor has ended, or refused a range, before all ranges were processed: run");
        assertThat(job().processed()).isEqualTo(processed.size());
    }

    @Test
    void failureOfARange_endsTheWaitForRangesThatHaveNotBegun() {
        AtomicInteger started = new AtomicInteger();
        assertThatThrownBy(() -> job().run(
                                task -> {
                                    if (started.getAndIncrement() == 1) {
                                        executor.execute(task);
                                    }
                                },
                                entry -> {
                                    throw new IllegalStateException("a test's consumer that is wrong");
                                }))
                .hasMessage("a test's consumer that is wrong");
    }
}
