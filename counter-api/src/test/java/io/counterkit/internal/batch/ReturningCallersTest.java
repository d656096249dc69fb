package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.AsyncCounter;
import io.counterkit.AsyncSequence;
import io.counterkit.Counters;
import io.counterkit.fixture.Inbox;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.BatchLimits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that callers who were answered together, and return at once, share the next batch. */
class ReturningCallersTest {
    private final ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
    private final Counters counters = Counters.over(backend);
    private final AsyncCounter likes = counters.counter("likes").async();
    private final AsyncSequence invoices = counters.sequence("invoices").async();

    /** Tries it several times, since on a busy machine a caller may return late. */
    @Test
    void callersThatReturnAtOnce_shareABatch() {
        await().atMost(Replies.PATIENCE).until(() -> {
            sendThree(backend.adds(), () -> likes.add(1)).succeed();
            List<CompletableFuture<?>> next = three(() -> likes.add(1));
            backend.adds().next().succeed();
            return next.stream().allMatch(CompletableFuture::isDone);
        });
    }

    /** The queue of a sequence, which is removed when it is idle, is kept until they have returned. */
    @Test
    void callersThatReturnToASequence_shareABatch() {
        await().atMost(Replies.PATIENCE).until(() -> {
            sendThree(backend.appends(), invoices::next).succeed();
            List<CompletableFuture<?>> next = three(invoices::next);
            backend.appends().next().succeed();
            return next.stream().allMatch(CompletableFuture::isDone);
        });
    }

    @Test
    void callerThatReturnsWithoutTheOthers_isServed() {
        sendThree(backend.adds(), () -> likes.add(1)).succeed();

        CompletableFuture<Void> alone = likes.add(1);

        backend.adds().next().succeed();
        assertThat(Replies.valueOf(alone)).isNull();
    }

    @Test
    void singleCaller_isServedAtOnce() {
        for (int i = 0; i < 1_000; i++) {
            CompletableFuture<Void> add = likes.add(1);
            assertThat(backend.adds().succeedAll()).hasSize(1);
            assertThat(add).isCompleted();
        }
    }

    /** Sends a batch of three requests, and returns it after a time of which a quarter lets the callers return. */
    private static <Q, R> Sent<Q, R> sendThree(Inbox<Q, R> inbox, Supplier<? extends CompletableFuture<?>> request) {
        await().atMost(Replies.PATIENCE).until(() -> inbox.succeedAll().isEmpty());
        CompletableFuture<?> unused = request.get();
        Sent<Q, R> first = inbox.next();
        List<CompletableFuture<?>> waiting = three(request);
        first.succeed();
        assertThat(waiting).hasSize(3);
        Sent<Q, R> second = inbox.next();
        await().during(Duration.ofMillis(20)).untilAsserted(inbox::assertNothingMore);
        return second;
    }

    private static List<CompletableFuture<?>> three(Supplier<? extends CompletableFuture<?>> request) {
        return Stream.<CompletableFuture<?>>generate(request).limit(3).toList();
    }
}
