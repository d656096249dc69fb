package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.CounterException;
import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.BlockingCalls.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockingCallsTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger retries = new AtomicInteger();
    private final CountersListener listener = new CountersListener() {
        @Override
        public void onRetry(Throwable cause) {
            retries.incrementAndGet();
        }
    };
    private final Backoff backoff = Backoff.between(Duration.ofMillis(1), Duration.ofMillis(5));
    private final BlockingCalls calls =
            BlockingCalls.on("blocking-test", executor, backoff, BlockingCallsTest::classify);

    /** What the store of these tests throws. */
    private static final class StoreException extends IOException {
        private static final long serialVersionUID = 1L;
        private final Failure failure;

        StoreException(Failure failure) {
            super("store said " + failure);
            this.failure = failure;
        }
    }

    private static Failure classify(Exception failure) {
        return failure instanceof StoreException store ? store.failure : Failure.UNKNOWN;
    }

    @AfterEach
    void close() {
        calls.close();
        executor.shutdownNow();
    }

    @Test
    void attempt_runsOnTheExecutor() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        assertThat(change(commit(LONG), () -> {
                    thread.set(Thread.currentThread());
                    return 7;
                }))
                .succeedsWithin(LONG)
                .isEqualTo(7);
        assertThat(thread.get()).isNotEqualTo(Thread.currentThread());
    }

    @Test
    void transientFailures_areRetriedUntilAnAttemptSucceeds() {
        assertThat(change(commit(LONG), failing(Failure.TRANSIENT, Failure.TRANSIENT)))
                .succeedsWithin(LONG)
                .isEqualTo(3);
        assertThat(retries).hasValue(2);
    }

    @Test
    void transientFailures_untilTheDeadline_areNotApplied() {
        Throwable failure = failureOf(change(commit(SHORT), () -> {
            attempts.incrementAndGet();
            throw new StoreException(Failure.TRANSIENT);
        }));
        assertThat(failure).isExactlyInstanceOf(NotAppliedException.class);
        assertThat(attempts).hasValueGreaterThan(1);
    }

    @Test
    void permanentFailure_isNotRetried() {
        Throwable failure = failureOf(change(commit(LONG), failing(Failure.PERMANENT)));
        assertThat(failure)
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("adding to 'likes' failed: store said PERMANENT")
                .hasCauseInstanceOf(StoreException.class);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void unknownOutcome_isRetried_andTheAnswerOfALaterAttemptCounts() {
        assertThat(change(commit(LONG), failing(Failure.UNKNOWN)))
                .succeedsWithin(LONG)
                .isEqualTo(2);
    }

    @Test
    void unknownOutcome_sticks_whenALaterAttemptFailsPermanently() {
        Commit commit = commit(LONG);
        assertUnknown(commit, failureOf(change(commit, failing(Failure.UNKNOWN, Failure.PERMANENT))));
        assertThat(attempts).hasValue(2);
    }

    @Test
    void unknownOutcome_sticks_whenLaterAttemptsFailUntilTheDeadline() {
        Commit commit = commit(SHORT);
        assertUnknown(commit, failureOf(change(commit, () -> {
            throw new StoreException(attempts.incrementAndGet() == 1 ? Failure.UNKNOWN : Failure.TRANSIENT);
        })));
        assertThat(attempts).hasValueGreaterThan(1);
    }

    @Test
    void unknownOutcome_sticks_whenALaterAttemptIsRefused() {
        Commit commit = commit(LONG);
        assertUnknown(commit, failureOf(change(commit, () -> {
            if (attempts.incrementAndGet() == 1) {
                throw new StoreException(Failure.UNKNOWN);
            }
            throw sealed();
        })));
    }

    @Test
    void unknownOutcome_sticks_whenTheExecutorIsShutDown() {
        Commit commit = commit(LONG);
        assertUnknown(commit, failureOf(change(commit, () -> {
            executor.shutdown();
            throw new StoreException(Failure.UNKNOWN);
        })));
    }

    @Test
    void unknownOutcome_sticks_whenTheCallsAreClosed() {
        BlockingCalls slow = BlockingCalls.on(
                "blocking-test", executor, Backoff.between(LONG.dividedBy(2), LONG), BlockingCallsTest::classify);
        CountDownLatch failed = new CountDownLatch(1);
        Commit commit = new Commit(LONG.multipliedBy(2), new Random(), new CountersListener() {
            @Override
            public void onRetry(Throwable cause) {
                failed.countDown();
            }
        });
        CompletableFuture<Integer> change = slow.change("adding to 'likes'", commit, failing(Failure.UNKNOWN));
        awaitQuietly(failed);
        slow.close();
        assertUnknown(commit, failureOf(change));
    }

    @Test
    void refusal_isPassedOn() {
        SealedException refusal = sealed();
        assertThat(failureOf(change(commit(LONG), () -> {
                    throw refusal;
                })))
                .isSameAs(refusal);
    }

    @Test
    void error_isUnknown() {
        Commit commit = commit(LONG);
        assertUnknown(commit, failureOf(change(commit, () -> {
            throw new StackOverflowError();
        })));
    }

    @Test
    void attemptThatHangs_isUnknownAtTheDeadline() {
        CountDownLatch over = new CountDownLatch(1);
        Commit commit = commit(SHORT);
        CompletableFuture<Integer> change = change(commit, () -> {
            awaitQuietly(over);
            return 1;
        });
        assertUnknown(commit, failureOf(change));
        over.countDown();
    }

    @Test
    void callThatWaitsForAThreadUntilTheDeadline_isNotApplied_andNeverRuns() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        executor.execute(() -> awaitQuietly(over));
        Throwable failure = failureOf(change(commit(SHORT), attempts::incrementAndGet));
        assertThat(failure)
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("adding to 'likes' failed: the deadline passed");
        over.countDown();
        executor.submit(() -> {}).get();
        assertThat(attempts).hasValue(0);
    }

    @Test
    void executorThatRejects_isNotApplied() {
        executor.shutdown();
        assertThat(failureOf(change(commit(LONG), attempts::incrementAndGet)))
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("adding to 'likes' failed: no thread was free");
    }

    @Test
    void readThatFails_isNotApplied_whateverItFailsWith() {
        List<Callable<Integer>> reads = List.of(
                failing(Failure.PERMANENT),
                () -> {
                    throw new StoreException(Failure.UNKNOWN);
                },
                () -> {
                    throw new StackOverflowError();
                });
        for (Callable<Integer> read : reads) {
            Call call = new Call(SHORT, listener);
            assertThat(failureOf(calls.read("reading 'likes'", call, read)))
                    .isExactlyInstanceOf(NotAppliedException.class)
                    .hasMessageStartingWith("reading 'likes' failed: ");
        }
    }

    @Test
    void read_isRetried() {
        Call call = new Call(LONG, listener);
        assertThat(calls.read("reading 'likes'", call, failing(Failure.TRANSIENT, Failure.UNKNOWN)))
                .succeedsWithin(LONG)
                .isEqualTo(3);
    }

    private CompletableFuture<Integer> change(Commit commit, Callable<Integer> attempt) {
        return calls.change("adding to 'likes'", commit, attempt);
    }

    /** Fails so often and then returns the number of the attempt. */
    private Callable<Integer> failing(Failure... failures) {
        AtomicInteger made = new AtomicInteger();
        return () -> {
            attempts.incrementAndGet();
            int attempt = made.incrementAndGet();
            if (attempt <= failures.length) {
                throw new StoreException(failures[attempt - 1]);
            }
            return attempt;
        };
    }

    private Commit commit(Duration timeout) {
        return new Commit(timeout, new Random(), listener);
    }

    private static SealedException sealed() {
        return new SealedException("likes", new Seal("elsewhere", 0, 0));
    }

    private static void assertUnknown(Commit commit, Throwable failure) {
        assertThat(failure)
                .isInstanceOfSatisfying(
                        OutcomeUnknownException.class,
                        unknown -> assertThat(unknown.token()).isEqualTo(commit.token()))
                .hasMessageStartingWith("adding to 'likes' may have been applied: ")
                .hasMessageEndingWith("; resolve token " + commit.token());
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).failsWithin(LONG);
        Throwable failure = Futures.unwrap(catchThrowable(future::join));
        assertThat(failure).isInstanceOf(CounterException.class);
        return failure;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
