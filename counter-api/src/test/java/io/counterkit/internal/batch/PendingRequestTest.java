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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests a request whose caller may leave at any time. */
class PendingRequestTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");

    private final PendingRequests pending = Waiting.atMost(10, Duration.ofHours(1));

    @Test
    void request_endsOnce() {
        PendingRequest<String> request = new PendingRequest<>("reading", 0, pending);

        request.settle("answer", null);
        request.settle("late", null);

        assertThat(request.giveUp("too late", null)).isNull();
        assertThat(request.await()).isEqualTo("answer");
    }

    @Test
    void lateAnswer_isIgnored() {
        PendingRequest<String> request = new PendingRequest<>("reading", 0, pending);
        assertThat(request.trySend(() -> TOKEN)).isTrue();

        assertThat(request.giveUp("the deadline passed", null)).isEqualTo(TOKEN);
        request.settle("late", null);

        assertThat(Replies.tokenOf(request.reply())).isEqualTo(TOKEN);
    }

    /** The lock stops the thread that ends a request where it notifies close. */
    @Test
    void close_isNotifiedAfterTheCaller() {
        PendingRequest<String> request = new PendingRequest<>("reading", 0, pending);
        assertThat(pending.tryAdmit(request)).isTrue();
        pending.tryClose();
        Caller<?> settling;

        synchronized (pending) {
            settling = Caller.running(() -> request.settle("answer", null));
            await().until(() -> settling.thread().getState() == Thread.State.BLOCKED);
            assertThat(request.reply()).isCompletedWithValue("answer");
        }

        assertThat(settling.value()).isEqualTo("ran");
        assertThat(pending.drain(Duration.ZERO)).isEmpty();
    }

    @Test
    void closeInACallback_doesNotWaitForThatCallback() {
        PendingRequest<String> request = new PendingRequest<>("reading", 0, pending);
        assertThat(pending.tryAdmit(request)).isTrue();
        CompletableFuture<List<IdempotencyToken>> closed = request.reply().thenApply(answer -> {
            pending.tryClose();
            return pending.drain(Duration.ofDays(1));
        });

        Caller<?> settling = Caller.running(() -> request.settle("answer", null));

        assertThat(settling.value()).isEqualTo("ran");
        assertThat(closed).isCompletedWithValue(List.of());
    }

    @Test
    void requestThatWasGivenUp_isNotSent() {
        PendingRequest<String> request = new PendingRequest<>("reading", 0, pending);

        assertThat(request.giveUp("the deadline passed", null)).isNull();

        assertThat(request.trySend(() -> TOKEN)).isFalse();
        assertThatThrownBy(request::await)
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("reading: the deadline passed before it was sent");
    }

    @Test
    void requestThatWasTakenBack_isNotApplied() {
        PendingRequest<String> request = new PendingRequest<>("reading", 0, pending);
        assertThat(request.trySend(() -> TOKEN)).isTrue();

        assertThat(request.tryTakeBack(false)).isTrue();

        assertThat(request.giveUp("the deadline passed", null)).isNull();
        assertThat(Replies.failureOf(request.reply())).isExactlyInstanceOf(NotAppliedException.class);
    }

    @Test
    void lead_isTakenByABlockingRequestOnly() {
        PendingRequest<String> request = new PendingRequest<>("reading", 0, pending);
        assertThat(request.offerLead()).isFalse();

        AtomicInteger led = new AtomicInteger();
        request.registerCaller();
        request.onLead(led::incrementAndGet);
        assertThat(request.offerLead()).isTrue();

        request.settle("answer", null);
        assertThat(request.offerLead()).isFalse();
        assertThat(request.await()).isEqualTo("answer");
        assertThat(led).hasValue(1);
    }

    /** The window is between two lines of one method, so the test tries often. */
    @Test
    void callerLeavingWhileItsRequestJoinsABatch_isNotified() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        int rounds = 20_000;
        PendingAdd[] requests = new PendingAdd[rounds];
        for (int i = 0; i < rounds; i++) {
            requests[i] = new PendingAdd(new AddRequest("likes", 1, null), pending);
        }
        Caller<?> leaving = Caller.calling(() -> {
            for (PendingAdd request : requests) {
                start.await();
                request.giveUp("the deadline passed", null);
            }
            return "left";
        });
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
        for (PendingAdd request : requests) {
            AddBatch batch = new AddBatch(backend, backend.counters(), 10, commit());
            start.await();
            assertThat(batch.tryTake(request)).isTrue();
        }

        assertThat(leaving.value()).isEqualTo("left");
        assertThat(requests).allSatisfy(request -> assertThat(request.reply()).isCompletedExceptionally());
    }

    /** The last answer arrives when close stops waiting. */
    @Test
    void lastAnswerAndClose_doNotDeadlock() {
        PendingRequest<String> request = new PendingRequest<>("reset of 'likes'", 0, pending);
        pending.tryAdmit(request);
        assertThat(request.trySend(() -> TOKEN)).isTrue();
        pending.tryClose();
        Caller<List<IdempotencyToken>> closing;
        synchronized (request) { // as the end of a request does
            closing = Caller.calling(() -> pending.drain(Duration.ofMillis(1)));
            await().until(() -> closing.thread().getState() == Thread.State.BLOCKED);
            Caller<?> answering = Caller.running(() -> pending.remove(request)); // as the end of a request does
            assertThat(answering.value()).isEqualTo("ran");
            request.settle("answer", null);
        }

        assertThat(closing.value()).isEmpty();
        assertThat(request.await()).isEqualTo("answer");
    }

    private static Commit commit() {
        return new Commit(Duration.ofHours(1), new Random(1), CountersListener.disabled());
    }
}
