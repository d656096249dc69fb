package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.AsyncCounter;
import io.counterkit.AsyncSequence;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.QueueFullException;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests interrupted callers and cancelled futures. */
class InterruptTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");

    private final ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
    private final Counters counters = Counters.over(backend);
    private final Counter likes = counters.counter("likes");

    @Test
    void sentRequest_isUnknownAndTheFlagRestored() {
        Caller<?> caller = Caller.running(() -> likes.add(3)).parked();
        Sent<AddRequest, Void> sent = backend.adds().next();

        caller.interrupt();

        Throwable failure = caller.failure();
        assertThat(failure)
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("interrupted")
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(GeneratedToken.parse(Replies.tokenOf(failure)))
                .isEqualTo(GeneratedToken.add(sent.commit(), 0, "likes", 3));
        assertThat(caller.interruptedAtEnd()).isTrue();
    }

    @Test
    void waitingRequest_isNotAppliedNorSentAndTheFlagRestored() {
        CompletableFuture<Void> first = likes.async().add(1);
        Caller<?> caller = Caller.running(() -> likes.add(3, TOKEN)).parked();

        caller.interrupt();

        assertThat(caller.failure())
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("add 3 to 'likes': the caller was interrupted before it was sent");
        assertThat(caller.interruptedAtEnd()).isTrue();
        backend.adds().next().succeed();
        assertThat(first).isCompleted();
        backend.adds().assertNothingMore();
    }

    @Test
    void callerInterruptedBeforeTheCall_getsTheSameFailure() {
        Caller<?> caller = Caller.running(() -> {
            Thread.currentThread().interrupt();
            likes.add(3);
        });

        assertThat(caller.failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(caller.interruptedAtEnd()).isTrue();
    }

    @Test
    void immediateAnswer_isReturnedDespiteAnInterrupt() {
        backend.adds().script(Sent::succeeding);
        Caller<?> caller = Caller.running(() -> {
            Thread.currentThread().interrupt();
            likes.add(3);
        });

        assertThat(caller.value()).isEqualTo("ran");
        assertThat(caller.interruptedAtEnd()).isTrue();
    }

    @Test
    void othersInTheBatchOfAnInterruptedCaller_areAnswered() {
        CompletableFuture<Void> first = likes.async().add(1);
        Caller<?> leaving = Caller.running(() -> likes.add(2)).parked();
        CompletableFuture<Void> staying = likes.async().add(3);
        backend.adds().next().succeed();
        Sent<AddRequest, Void> shared = backend.adds().next();

        leaving.interrupt();
        assertThat(leaving.failure()).isInstanceOf(OutcomeUnknownException.class);
        shared.succeed();

        assertThat(first).isCompleted();
        assertThat(Replies.valueOf(staying)).isNull();
    }

    @Test
    void cancellation_withdrawsAWaitingRequest() {
        CompletableFuture<Void> first = likes.async().add(1);
        CompletableFuture<Void> cancelled = likes.async().add(2);
        CompletableFuture<Void> staying = likes.async().add(4);

        cancelled.cancel(false);
        backend.adds().next().succeed();

        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("likes", 4, null));
        assertThat(first).isCompleted();
        assertThat(staying).isNotDone();
    }

    @Test
    void cancelledNext_usesNoNumber() {
        AsyncSequence invoices = counters.sequence("invoices").async();
        CompletableFuture<Long> first = invoices.next();
        CompletableFuture<Long> cancelled = invoices.next();

        cancelled.cancel(false);
        backend.appends().next().succeed();

        backend.appends().assertNothingMore();
        assertThat(first).isCompleted();
    }

    @Test
    void cancelledRequest_makesRoom() {
        Counters narrow =
                Counters.over(backend, CountersOptions.builder().queueLimit(2).build());
        AsyncCounter views = narrow.counter("views").async();
        CompletableFuture<Void> first = views.add(1);
        CompletableFuture<Void> cancelled = views.add(2);
        assertThat(Replies.failureOf(views.add(3))).isInstanceOf(QueueFullException.class);

        cancelled.cancel(false);

        CompletableFuture<Void> third = views.add(3);
        assertThat(List.of(first, third)).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void queue_isIdleAfterAllWaitingRequestsWereCancelled() {
        CompletableFuture<Void> first = likes.async().add(1);
        CompletableFuture<Void> cancelled = likes.async().add(2);
        cancelled.cancel(false);
        backend.adds().next().succeed();
        backend.adds().assertNothingMore();
        assertThat(first).isCompleted();

        CompletableFuture<Void> next = likes.async().add(3);
        backend.adds().next().succeed();

        assertThat(Replies.valueOf(next)).isNull();
    }

    @Test
    void cancellation_doesNotStopASentRequest() {
        CompletableFuture<Void> cancelled = likes.async().add(1);
        CompletableFuture<Void> next = likes.async().add(2);

        cancelled.cancel(false);
        backend.adds().next().succeed();
        backend.adds().next().succeed();

        assertThat(Replies.valueOf(next)).isNull();
        assertThat(cancelled).isCancelled();
    }
}
