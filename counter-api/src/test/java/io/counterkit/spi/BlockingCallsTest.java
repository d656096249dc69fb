package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.NotAppliedException;
import io.counterkit.SealedException;
import io.counterkit.spi.BlockingCalls.Failure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** When {@link BlockingCalls} attempts a call, and what it fails with if no attempt is in doubt. */
class BlockingCallsTest extends BlockingCallsSetup {
    private static final String TOO_LATE =
            "adding to 'likes' failed: the deadline passed before a thread or connection was free";

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
    void transientFailures_untilTheDeadline_areNotApplied() throws Exception {
        afterAttempts(2, deadline -> {
            Throwable failure = failureOf(change(commit(deadline), () -> {
                attempts.incrementAndGet();
                throw new StoreException(Failure.TRANSIENT);
            }));
            assertThat(failure)
                    .isExactlyInstanceOf(NotAppliedException.class)
                    .hasMessageStartingWith("adding to 'likes' failed: ");
        });
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
    void transientFailure_isNotApplied_whenAPauseWouldPassTheDeadline() {
        Throwable failure = failureOf(slow().change("adding to 'likes'", commit(LONG), failing(Failure.TRANSIENT)));
        assertThat(failure)
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("adding to 'likes' failed: store said TRANSIENT");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void callAfterClose_isNotApplied_andNeverRuns() throws Exception {
        calls.close();
        assertThat(failureOf(change(commit(LONG), attempts::incrementAndGet)))
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessageStartingWith("adding to 'likes' failed: ");
        executor.submit(() -> {}).get();
        assertThat(attempts).hasValue(0);
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
    void refusalAfterATransientFailure_isPassedOn() {
        SealedException refusal = sealed();
        assertThat(failureOf(change(commit(LONG), () -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw new StoreException(Failure.TRANSIENT);
                    }
                    throw refusal;
                })))
                .isSameAs(refusal);
    }

    @Test
    void attemptThatFailsAfterTheDeadline_isNotRetried() throws Exception {
        afterAttempts(1, deadline -> {
            CountDownLatch over = new CountDownLatch(1);
            CompletableFuture<Integer> change = change(commit(deadline), () -> {
                attempts.incrementAndGet();
                awaitQuietly(over);
                throw new StoreException(Failure.TRANSIENT);
            });
            failureOf(change);
            over.countDown();
            executor.submit(() -> {}).get();
            assertThat(attempts).hasValueLessThan(2);
            assertThat(retries).hasValue(0);
        });
    }

    @Test
    void eachCall_endsAtItsOwnDeadline_whateverTheOrder() {
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<Integer> longest = change(commit(LONG), () -> {
            awaitQuietly(over);
            return 7;
        });
        for (int times : new int[] {3, 1, 2}) {
            CompletableFuture<Integer> shorter = change(commit(SHORT.multipliedBy(times)), attempts::incrementAndGet);
            assertThat(failureOf(shorter))
                    .isExactlyInstanceOf(NotAppliedException.class)
                    .hasMessage(TOO_LATE);
            assertThat(longest).isNotDone();
        }
        over.countDown();
        assertThat(longest).succeedsWithin(LONG).isEqualTo(7);
        assertThat(attempts).hasValue(0);
    }

    @Test
    void callThatWaitsForAThreadUntilTheDeadline_isNotApplied_andNeverRuns() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        executor.execute(() -> awaitQuietly(over));
        Throwable failure = failureOf(change(commit(SHORT), attempts::incrementAndGet));
        assertThat(failure).isExactlyInstanceOf(NotAppliedException.class).hasMessage(TOO_LATE);
        over.countDown();
        executor.submit(() -> {}).get();
        assertThat(attempts).hasValue(0);
    }

    /**
     * At the deadline itself its caller gives up, and does not learn the outcome. A busy machine may be late, but not
     * always.
     */
    @Test
    void callWhoseRetryWaitsForAThread_endsBeforeTheDeadline() {
        await().atMost(LONG).untilAsserted(() -> {
            CountDownLatch over = new CountDownLatch(1);
            Commit commit = commit(SHORT.multipliedBy(3));
            AtomicReference<Duration> left = new AtomicReference<>(Duration.ZERO);
            CompletableFuture<Integer> change = change(commit, () -> {
                executor.execute(() -> awaitQuietly(over));
                throw new StoreException(Failure.TRANSIENT);
            });
            Throwable failure = failureOf(change.whenComplete((value, failed) -> left.set(commit.remaining())));
            over.countDown();
            assertThat(failure)
                    .isExactlyInstanceOf(NotAppliedException.class)
                    .hasMessage("adding to 'likes' failed: the deadline passed after store said TRANSIENT");
            assertThat(left.get()).isPositive();
        });
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
        assertThat(retries).hasValue(2);
    }

    @Test
    void readThatIsRefused_isPassedOn() {
        SealedException refusal = sealed();
        assertThat(failureOf(calls.read("reading 'likes'", new Call(LONG, listener), () -> {
                    throw refusal;
                })))
                .isSameAs(refusal);
    }
}
