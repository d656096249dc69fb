package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CountersListener;
import io.counterkit.spi.BlockingCalls.Failure;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A change stays unknown once the outcome of one of its attempts was. */
class BlockingCallsInDoubtTest extends BlockingCallsSetup {
    @Test
    void unknownOutcome_isRetried_andTheAnswerOfALaterAttemptCounts() {
        assertThat(change(commit(LONG), failing(Failure.UNKNOWN)))
                .succeedsWithin(LONG)
                .isEqualTo(2);
        assertThat(retries).hasValue(1);
    }

    @Test
    void attemptThatThrowsAnUnknownOutcome_isRetried() {
        assertThat(change(commit(LONG), () -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw unknownOfTheStore();
                    }
                    return attempts.get();
                }))
                .succeedsWithin(LONG)
                .isEqualTo(2);
    }

    @Test
    void attemptThatThrowsAnUnknownOutcome_sticks_whenALaterAttemptFailsPermanently() {
        Commit commit = commit(LONG);
        assertUnknown(commit, failureOf(change(commit, () -> {
            if (attempts.incrementAndGet() == 1) {
                throw unknownOfTheStore();
            }
            throw new StoreException(Failure.PERMANENT);
        })));
        assertThat(attempts).hasValue(2);
    }

    @Test
    void unknownOutcome_sticks_whenALaterAttemptFailsPermanently() {
        Commit commit = commit(LONG);
        assertUnknown(commit, failureOf(change(commit, failing(Failure.UNKNOWN, Failure.PERMANENT))));
        assertThat(attempts).hasValue(2);
    }

    @Test
    void unknownOutcome_sticks_whenLaterAttemptsFailUntilTheDeadline() throws Exception {
        afterAttempts(2, deadline -> {
            Commit commit = commit(deadline);
            Throwable failure = failureOf(change(commit, () -> {
                throw new StoreException(attempts.incrementAndGet() == 1 ? Failure.UNKNOWN : Failure.TRANSIENT);
            }));
            if (attempts.get() > 0) {
                assertUnknown(commit, failure);
            }
        });
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
            attempts.incrementAndGet();
            executor.shutdown();
            throw new StoreException(Failure.UNKNOWN);
        })));
        assertThat(attempts).hasValue(1);
    }

    @Test
    void unknownOutcome_sticks_whenAPauseWouldPassTheDeadline() {
        Commit commit = new Commit(LONG, new Random(), listener);
        assertUnknown(commit, failureOf(slow().change("adding to 'likes'", commit, failing(Failure.UNKNOWN))));
        assertThat(attempts).hasValue(1);
        assertThat(retries).hasValue(0);
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
        assertThat(attempts).hasValue(1);
    }

    @Test
    void error_isUnknown() {
        Commit commit = commit(LONG);
        assertUnknown(commit, failureOf(change(commit, () -> {
            throw new StackOverflowError();
        })));
    }

    @Test
    void attemptThatHangs_isUnknownAtTheDeadline() throws Exception {
        afterAttempts(1, deadline -> {
            CountDownLatch over = new CountDownLatch(1);
            Commit commit = commit(deadline);
            Throwable failure = failureOf(change(commit, () -> {
                attempts.incrementAndGet();
                awaitQuietly(over);
                return 1;
            }));
            if (attempts.get() > 0) {
                assertUnknown(commit, failure);
            }
            over.countDown();
        });
    }
}
