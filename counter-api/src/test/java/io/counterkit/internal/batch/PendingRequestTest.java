package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** One request between its caller, who may leave, and the batch that takes it. */
class PendingRequestTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");

    private final PendingRequests outstanding = Waiting.atMost(10, Duration.ofHours(1));

    @Test
    void endsOnce() {
        PendingRequest<String> waiter = new PendingRequest<>("reading", 0, outstanding);

        waiter.settle("answer", null);
        waiter.settle("late", null);

        assertThat(waiter.giveUp("too late", null)).isNull();
        assertThat(waiter.await()).isEqualTo("answer");
    }

    @Test
    void lateAnswerAfterGivingUpChangesNothing() {
        PendingRequest<String> waiter = new PendingRequest<>("reading", 0, outstanding);
        assertThat(waiter.trySend(() -> TOKEN)).isTrue();

        assertThat(waiter.giveUp("the deadline passed", null)).isEqualTo(TOKEN);
        waiter.settle("late", null);

        assertThat(Replies.tokenOf(waiter.reply())).isEqualTo(TOKEN);
    }

    /** The lock holds back whoever ends a request just where it tells close that there is one less to wait for. */
    @Test
    void closeIsToldAfterTheCaller() {
        PendingRequest<String> waiter = new PendingRequest<>("reading", 0, outstanding);
        assertThat(outstanding.admit(waiter)).isTrue();
        outstanding.tryClose();
        Caller<?> settling;

        synchronized (outstanding) {
            settling = Caller.running(() -> waiter.settle("answer", null));
            await().until(() -> settling.thread().getState() == Thread.State.BLOCKED);
            assertThat(waiter.reply()).isCompletedWithValue("answer");
        }

        assertThat(settling.value()).isEqualTo("ran");
        assertThat(outstanding.drain(Duration.ZERO)).isEmpty();
    }

    @Test
    void closeInACallbackDoesNotWaitForThatCallback() {
        PendingRequest<String> waiter = new PendingRequest<>("reading", 0, outstanding);
        assertThat(outstanding.admit(waiter)).isTrue();
        CompletableFuture<List<IdempotencyToken>> closed = waiter.reply().thenApply(answer -> {
            outstanding.tryClose();
            return outstanding.drain(Duration.ofDays(1));
        });

        Caller<?> settling = Caller.running(() -> waiter.settle("answer", null));

        assertThat(settling.value()).isEqualTo("ran");
        assertThat(closed).isCompletedWithValue(List.of());
    }

    @Test
    void requestThatWasGivenUpIsNotSent() {
        PendingRequest<String> waiter = new PendingRequest<>("reading", 0, outstanding);

        assertThat(waiter.giveUp("the deadline passed", null)).isNull();

        assertThat(waiter.trySend(() -> TOKEN)).isFalse();
        assertThatThrownBy(waiter::await)
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("reading: the deadline passed before it was sent");
    }

    @Test
    void requestThatWasTakenBackIsSurelyNotApplied() {
        PendingRequest<String> waiter = new PendingRequest<>("reading", 0, outstanding);
        assertThat(waiter.trySend(() -> TOKEN)).isTrue();

        assertThat(waiter.takeBack(false)).isTrue();

        assertThat(waiter.giveUp("the deadline passed", null)).isNull();
        assertThat(Replies.failureOf(waiter.reply())).isExactlyInstanceOf(NotAppliedException.class);
    }

    @Test
    void leadIsNotOfferedToOneThatDoesNotBlockOrHasEnded() {
        PendingRequest<String> waiter = new PendingRequest<>("reading", 0, outstanding);
        assertThat(waiter.offerLead()).isFalse();

        waiter.block();
        assertThat(waiter.offerLead()).isTrue();
        assertThat(waiter.takeLead()).isTrue();
        assertThat(waiter.takeLead()).isFalse();

        waiter.settle("answer", null);
        assertThat(waiter.offerLead()).isFalse();
    }

    /** The window is between two lines of one method, so it is tried often. */
    @Test
    void callerThatLeavesJustWhenItsRequestJoinsABatchIsToldSo() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        int rounds = 20_000;
        PendingAdd[] waiters = new PendingAdd[rounds];
        for (int i = 0; i < rounds; i++) {
            waiters[i] = new PendingAdd(new AddRequest("likes", 1, null), outstanding);
        }
        Caller<?> leaving = Caller.calling(() -> {
            for (PendingAdd waiter : waiters) {
                start.await();
                waiter.giveUp("the deadline passed", null);
            }
            return "left";
        });
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
        for (PendingAdd waiter : waiters) {
            AddBatch batch = new AddBatch(backend, backend.counters(), 10, commit());
            start.await();
            assertThat(batch.tryTake(waiter)).isTrue();
        }

        assertThat(leaving.value()).isEqualTo("left");
        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.reply()).isCompletedExceptionally());
    }

    /** The answer of the last one comes just when close has waited long enough. */
    @Test
    void lastAnswerAndTheEndOfClosingDoNotBlockOneAnother() {
        PendingRequest<String> waiter = new PendingRequest<>("reset of 'likes'", 0, outstanding);
        outstanding.admit(waiter);
        assertThat(waiter.trySend(() -> TOKEN)).isTrue();
        outstanding.tryClose();
        Caller<List<IdempotencyToken>> closing;
        synchronized (waiter) { // as while it ends
            closing = Caller.calling(() -> outstanding.drain(Duration.ofMillis(1)));
            await().until(() -> closing.thread().getState() == Thread.State.BLOCKED);
            Caller<?> answering = Caller.running(() -> outstanding.remove(waiter)); // what ending does then
            assertThat(answering.value()).isEqualTo("ran");
            waiter.settle("answer", null);
        }

        assertThat(closing.value()).isEmpty();
        assertThat(waiter.await()).isEqualTo("answer");
    }

    private static Commit commit() {
        return new Commit(Duration.ofHours(1), new Random(1), CountersListener.disabled());
    }
}
