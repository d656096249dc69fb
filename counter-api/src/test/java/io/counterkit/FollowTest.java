package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a follower asks of the store, and how it ends. */
class FollowTest {
    private static final FollowOptions QUICK = FollowOptions.defaults().withCadence(Duration.ofMillis(5));

    private final ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.none());
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final Counters counters = Counters.over(
            backend,
            CountersOptions.builder()
                    .backgroundThreads(this::thread)
                    .drainTimeout(Duration.ofSeconds(20))
                    .build());
    private final Sequence orders = counters.sequence("orders");
    private final List<Long> numbers = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        counters.close();
        await().until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    private Thread thread(Runnable follower) {
        Thread thread = new Thread(follower, "follower of a test");
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    /** Lets the sequence have the entries 1 to {@code last}. */
    private void fill(long last) {
        backend.others().answer("tail", new Tail(last, last, null));
        backend.others().on("entries", () -> {
            String[] asked = backend.others().asked().stream()
                    .filter(call -> call.startsWith("entries"))
                    .reduce((first, second) -> second)
                    .orElseThrow()
                    .split(" ", 4);
            return CompletableFuture.completedFuture(entries(Long.parseLong(asked[2]), Long.parseLong(asked[3])));
        });
    }

    private static List<Entry> entries(long from, long to) {
        AppendRequest append = AppendRequest.of(Map.of(), null);
        return LongStream.rangeClosed(from, to)
                .mapToObj(number -> ScriptedBackend.entry(number, append))
                .toList();
    }

    /** Lets the checkpoint have a total, which adds move. */
    private void fillCheckpoint(long total) {
        AtomicLong now = new AtomicLong(total);
        backend.others()
                .on(
                        "read",
                        () -> CompletableFuture.completedFuture(
                                List.of(Result.of(new Reading(now.get(), Instant.EPOCH, Duration.ZERO)))));
        backend.adds().script(sent -> {
            sent.requests().forEach(add -> now.addAndGet(add.delta()));
            return sent.succeeding();
        });
    }

    private FollowOptions options() {
        return QUICK.withFailures(failures::add);
    }

    private Follower follow(long from) {
        return orders.follow(from, options(), entry -> numbers.add(entry.number()));
    }

    @Test
    void entriesAreReadInPagesUpToTheTail() {
        fill(250);
        Follower follower = follow(2);
        await().until(() -> numbers.contains(250L));
        assertThat(numbers).isEqualTo(LongStream.rangeClosed(2, 250).boxed().toList());
        await().until(() -> follower.position() == 250);
        assertThat(backend.others().asked())
                .startsWith("tail orders", "entries orders 2 101", "entries orders 102 201", "entries orders 202 250")
                .filteredOn(call -> call.startsWith("entries"))
                .hasSize(3);
        assertThat(failures).isEmpty();
    }

    @Test
    void slowConsumer_isWaitedFor() throws InterruptedException {
        fill(1000);
        Semaphore permits = new Semaphore(0);
        AtomicInteger running = new AtomicInteger();
        List<Integer> concurrent = new CopyOnWriteArrayList<>();
        orders.follow(1, options(), entry -> {
            concurrent.add(running.incrementAndGet());
            permits.acquireUninterruptibly();
            numbers.add(entry.number());
            running.decrementAndGet();
        });
        permits.release(99);
        await().until(() -> numbers.size() == 99 && concurrent.size() == 100);
        assertThat(backend.others().asked()).containsExactly("tail orders", "entries orders 1 100");
        permits.release(901);
        await().until(() -> numbers.size() == 1000);
        assertThat(concurrent).containsOnly(1);
    }

    @Test
    void missingEntry_isReportedAndNotSkipped() {
        fill(5);
        backend.others()
                .on(
                        "entries",
                        () -> CompletableFuture.completedFuture(
                                List.of(entries(1, 2).get(0), entries(1, 3).get(2))));
        follow(1);
        await().until(() -> failures.size() >= 2);
        assertThat(failures)
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessage(
                                "entry 2 of 'orders' is missing, but its last number is 5: copy the missing entries, or"
                                        + " start at a later number"));
        assertThat(numbers).isEmpty();
        fill(5);
        await().untilAsserted(() -> assertThat(numbers).containsExactly(1L, 2L, 3L, 4L, 5L));
    }

    @Test
    void emptyPage_isReportedAndNotSkipped() {
        fill(5);
        backend.others().answer("entries", List.of());
        follow(3);
        await().until(() -> !failures.isEmpty());
        assertThat(failures.get(0)).hasMessageStartingWith("entry 3 of 'orders' is missing");
        assertThat(numbers).isEmpty();
    }

    @Test
    void followerFromALaterNumber_waitsForIt() {
        fill(5);
        Follower follower = follow(7);
        assertThat(follower.position()).isEqualTo(6);
        await().until(() -> backend.others().asked().size() > 3);
        assertThat(numbers).isEmpty();
        fill(8);
        await().untilAsserted(() -> assertThat(numbers).containsExactly(7L, 8L));
        assertThat(failures).isEmpty();
    }

    @Test
    void invalidStart_isRefused() {
        for (long from : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> orders.follow(from, entry -> {}))
                    .withMessage("number " + from + ": numbers start at 1");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QUICK.withCadence(Duration.ZERO))
                .withMessageContaining("cadence 0");
        assertThat(threads).isEmpty();
    }

    @Test
    void checkpointBeyondTheTail_isReported() {
        fill(5);
        fillCheckpoint(7);
        orders.follow(counters.counter("done"), options(), entry -> numbers.add(entry.number()));
        await().until(() -> failures.size() >= 2);
        assertThat(failures.get(0))
                .isInstanceOf(CorruptDataException.class)
                .hasMessage("the checkpoint 'done' is 7, but 'orders' has only 5 entries: use a counter that only"
                        + " followers of this sequence change");
        fill(8);
        await().untilAsserted(() -> assertThat(numbers).containsExactly(8L));
    }

    @Test
    void checkpointIsStored_whileAnEntryCannotBeProcessed() throws InterruptedException {
        fill(3);
        fillCheckpoint(0);
        FollowOptions options =
                FollowOptions.defaults().withCadence(Duration.ofMillis(50)).withFailures(failures::add);
        orders.follow(counters.counter("done"), options, entry -> {
            if (entry.number() == 3) {
                throw new IllegalStateException("a test's consumer");
            }
        });
        assertThat(backend.adds().next().requests())
                .extracting(AddRequest::delta)
                .containsExactly(1L);
        assertThat(backend.adds().next().requests())
                .extracting(AddRequest::delta, AddRequest::token)
                .containsExactly(tuple(1L, IdempotencyToken.of("follow:1:done")));
    }

    @Test
    void negativeCheckpoint_isReported() {
        fill(5);
        fillCheckpoint(-1);
        Follower follower = orders.follow(counters.counter("done"), options(), entry -> numbers.add(entry.number()));
        await().until(() -> !failures.isEmpty());
        assertThat(failures.get(0))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageStartingWith("the checkpoint 'done' is -1, but positions start at 0");
        assertThat(follower.position()).isZero();
        assertThat(numbers).isEmpty();
    }

    @Test
    void closeDuringARead_doesNotWaitForIt() {
        backend.others().on("tail", CompletableFuture::new);
        CountersOptions patient = CountersOptions.builder()
                .deadline(Duration.ofHours(1))
                .drainTimeout(Duration.ofHours(1))
                .backgroundThreads(this::thread)
                .build();
        Follower follower = Counters.over(backend, patient)
                .sequence("orders")
                .follow(1, options(), entry -> numbers.add(entry.number()));
        await().until(() -> !backend.others().asked().isEmpty());
        follower.close();
        assertThat(failures).isEmpty();
    }

    @Test
    void close_waitsForTheRunningConsumer() throws InterruptedException {
        fill(3);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Follower follower = orders.follow(1, options(), entry -> {
            started.countDown();
            awaitUninterruptibly(mayEnd);
            numbers.add(entry.number());
        });
        assertThat(started.await(Replies.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        CompletableFuture<List<Long>> closing = new CompletableFuture<>();
        Thread closer = new Thread(() -> {
            follower.close();
            closing.complete(List.copyOf(numbers));
        });
        closer.start();
        await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        mayEnd.countDown();
        assertThat(Replies.valueOf(closing)).containsExactly(1L);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void interruptedClose_returnsAndKeepsTheFlag() throws InterruptedException {
        fill(1);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Follower follower = orders.follow(1, options(), entry -> {
            started.countDown();
            awaitUninterruptibly(mayEnd);
        });
        assertThat(started.await(Replies.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        Thread.currentThread().interrupt();
        follower.close();
        assertThat(Thread.interrupted()).isTrue();
        mayEnd.countDown();
    }

    @Test
    void consumerMayCloseItsFollowerAndItsCounters() {
        fill(3);
        AtomicReference<Follower> itself = new AtomicReference<>();
        CountDownLatch isSet = new CountDownLatch(1);
        itself.set(orders.follow(1, options(), entry -> {
            awaitUninterruptibly(isSet);
            numbers.add(entry.number());
            if (entry.number() == 2) {
                itself.get().close();
            }
        }));
        isSet.countDown();
        await().until(() -> numbers.contains(2L));
        await().until(() -> threads.stream().noneMatch(Thread::isAlive));
        assertThat(numbers).containsExactly(1L, 2L);
        orders.follow(3, options(), entry -> {
            numbers.add(entry.number());
            counters.close();
        });
        await().until(() -> backend.closed() == 1);
        await().until(() -> threads.stream().noneMatch(Thread::isAlive));
        assertThat(numbers).containsExactly(1L, 2L, 3L);
        assertThatIllegalStateException().isThrownBy(() -> follow(1)).withMessage("these counters are closed");
        assertThat(failures).isEmpty();
    }

    @Test
    void interruptFlagOfAConsumer_doesNotEndTheNextCalls() {
        fill(3);
        fillCheckpoint(0);
        Counter done = counters.counter("done");
        orders.follow(done, options(), entry -> {
            numbers.add(entry.number());
            Thread.currentThread().interrupt();
        });
        await().untilAsserted(() -> assertThat(numbers).containsExactly(1L, 2L, 3L));
        assertThat(backend.adds().next().requests())
                .extracting(AddRequest::token)
                .containsExactly(IdempotencyToken.of("follow:0:done"));
        assertThat(failures).isEmpty();
    }

    @Test
    void failingConsumerOfFailures_isIgnored() {
        fill(1);
        AtomicInteger attempts = new AtomicInteger();
        FollowOptions options = QUICK.withFailures(failure -> {
            failures.add(failure);
            throw new AssertionError("a test's consumer of failures that is wrong");
        });
        orders.follow(1, options, entry -> {
            if (attempts.incrementAndGet() < 3) {
                throw new AssertionError("a test's consumer that is wrong");
            }
            numbers.add(entry.number());
        });
        await().until(() -> numbers.contains(1L));
        assertThat(failures).hasSize(2);
    }
}
