package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.CounterException;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.BlockingCalls.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** Calls of a store whose failures a test chooses. */
abstract class BlockingCallsSetup {
    static final Duration LONG = Duration.ofSeconds(60);
    static final Duration SHORT = Duration.ofMillis(100);

    final ExecutorService executor = Executors.newSingleThreadExecutor();
    final AtomicInteger attempts = new AtomicInteger();
    final AtomicInteger retries = new AtomicInteger();
    final CountersListener listener = new CountersListener() {
        @Override
        public void onRetry(Throwable cause) {
            retries.incrementAndGet();
        }
    };
    final Backoff backoff = Backoff.between(Duration.ofMillis(1), Duration.ofMillis(5));
    final BlockingCalls calls = BlockingCalls.on("blocking-test", executor, backoff, BlockingCallsSetup::classify);

    /** What the store of these tests throws. */
    static final class StoreException extends IOException {
        static final long serialVersionUID = 1L;
        final Failure failure;

        StoreException(Failure failure) {
            super("store said " + failure);
            this.failure = failure;
        }
    }

    static Failure classify(Exception failure) {
        return failure instanceof StoreException store ? store.failure : Failure.UNKNOWN;
    }

    @AfterEach
    void close() {
        calls.close();
        executor.shutdownNow();
    }

    /** Returns calls that pause longer than any deadline here. */
    BlockingCalls slow() {
        Backoff pauses = Backoff.between(LONG.multipliedBy(4), LONG.multipliedBy(8));
        return BlockingCalls.on("blocking-test", executor, pauses, BlockingCallsSetup::classify);
    }

    /** A test of what happens at a deadline. */
    interface AtDeadline {
        void run(Duration deadline) throws Exception;
    }

    /** Runs a test with longer and longer deadlines until so many attempts begin before one. */
    void afterAttempts(int least, AtDeadline test) throws Exception {
        for (Duration deadline = SHORT; attempts.get() < least; deadline = deadline.multipliedBy(3)) {
            assertThat(deadline)
                    .as("the deadline within which %s attempts begin", least)
                    .isLessThan(LONG);
            executor.submit(() -> {}).get(); // after an attempt that ends late
            attempts.set(0);
            test.run(deadline);
        }
    }

    CompletableFuture<Integer> change(Commit commit, Callable<Integer> attempt) {
        return calls.change("adding to 'likes'", commit, attempt);
    }

    /** Fails so often and then returns the number of the attempt. */
    Callable<Integer> failing(Failure... failures) {
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

    Commit commit(Duration timeout) {
        return new Commit(timeout, new Random(), listener);
    }

    static OutcomeUnknownException unknownOfTheStore() {
        return new OutcomeUnknownException("the store lost its own reply", IdempotencyToken.of("the store's"), null);
    }

    static SealedException sealed() {
        return new SealedException("likes", new Seal("elsewhere", 0, 0));
    }

    static void assertUnknown(Commit commit, Throwable failure) {
        assertThat(failure)
                .isInstanceOfSatisfying(
                        OutcomeUnknownException.class,
                        unknown -> assertThat(unknown.token()).isEqualTo(commit.token()))
                .hasMessageStartingWith("adding to 'likes' may have been applied: ")
                .hasMessageNotContaining(commit.token().value());
    }

    static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).failsWithin(LONG);
        Throwable failure = Futures.unwrap(catchThrowable(future::join));
        assertThat(failure).isInstanceOf(CounterException.class);
        return failure;
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
