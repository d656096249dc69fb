package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.BlockingCalls.Failure;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A change without a token, such as an import, fails as not applied only if it never will be applied. */
class BlockingCallsRepeatableTest extends BlockingCallsSetup {
    @Test
    void answerOfALaterAttempt_counts() {
        assertThat(repeatable(commit(LONG), failing(Failure.UNKNOWN, Failure.TRANSIENT)))
                .succeedsWithin(LONG)
                .isEqualTo(3);
    }

    @Test
    void failuresThatAreNotApplied_areNotApplied() {
        assertThat(outcomeOf(repeatable(commit(LONG), failing(Failure.TRANSIENT, Failure.PERMANENT))))
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("importing 'likes' failed: store said PERMANENT");
    }

    @Test
    void refusal_isPassedOn() {
        Throwable refusal = sealed();
        assertThat(outcomeOf(repeatable(commit(LONG), () -> {
                    throw (NotAppliedException) refusal;
                })))
                .isSameAs(refusal);
    }

    @Test
    void attemptThatMayBeApplied_leavesTheOutcomeOpen_whateverALaterOneFailsWith() {
        assertThat(outcomeOf(repeatable(commit(LONG), failing(Failure.UNKNOWN, Failure.PERMANENT))))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("importing 'likes' may have been applied: store said PERMANENT; repeat it");
        assertThat(outcomeOf(repeatable(commit(LONG), () -> {
                    if (attempts.incrementAndGet() == 3) {
                        throw new StoreException(Failure.UNKNOWN);
                    }
                    throw sealed();
                })))
                .isExactlyInstanceOf(IllegalStateException.class);
    }

    @Test
    void attemptThatIsUnderWayAtTheDeadline_leavesTheOutcomeOpen() throws Exception {
        afterAttempts(1, deadline -> {
            CountDownLatch over = new CountDownLatch(1);
            Throwable failure = outcomeOf(repeatable(commit(deadline), () -> {
                attempts.incrementAndGet();
                awaitQuietly(over);
                return 7;
            }));
            if (attempts.get() > 0) {
                assertThat(failure)
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessage("importing 'likes' may have been applied: the deadline passed; repeat it");
            }
            over.countDown();
        });
    }

    private CompletableFuture<Integer> repeatable(Call call, Callable<Integer> attempt) {
        return calls.repeatable("importing 'likes'", call, attempt);
    }

    private static Throwable outcomeOf(CompletableFuture<?> future) {
        assertThat(future).failsWithin(LONG);
        return Futures.unwrap(catchThrowable(future::join));
    }
}
