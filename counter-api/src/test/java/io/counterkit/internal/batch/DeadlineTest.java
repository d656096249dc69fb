package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.AsyncCounter;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests requests at their deadlines. */
@Execution(ExecutionMode.CONCURRENT) // most tests wait for a deadline
class DeadlineTest {
    /** The deadline of requests that are sent at once or wait until it passes. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** The deadline of requests for which a test does more before it passes, also on a busy machine. */
    private static final Duration LONGER = Duration.ofSeconds(3);

    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");

    private final ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
    private final Counters counters = within(SHORT);
    private final AsyncCounter likes = counters.counter("likes").async();

    private Counters within(Duration deadline) {
        return Counters.over(
                backend, CountersOptions.builder().deadline(deadline).build());
    }

    @Test
    void waitingRequest_isNotAppliedNorSent() {
        CompletableFuture<Void> sent = likes.add(1);
        CompletableFuture<Void> waiting = likes.add(2, TOKEN);

        assertThat(Replies.failureOf(waiting))
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("add 2 to 'likes': the deadline passed before it was sent");
        assertThat(Replies.failureOf(sent)).isInstanceOf(OutcomeUnknownException.class);
        backend.adds().next().succeed();
        backend.adds().assertNothingMore();
    }

    @Test
    void waitingBlockingCaller_isNotAppliedNorSent() {
        CompletableFuture<Void> sent = likes.add(1);

        assertThatThrownBy(() -> counters.counter("likes").add(2))
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("add 2 to 'likes': the deadline passed before it was sent");

        assertThat(Replies.tokenOf(sent)).isNotNull();
        backend.adds().next().succeed();
        backend.adds().assertNothingMore();
    }

    @Test
    void sentAdd_isUnknownWithATokenThatDescribesIt() {
        Throwable failure = Replies.failureOf(likes.add(-3));

        IdempotencyToken token = Replies.tokenOf(failure);
        Commit commit = backend.adds().next().commit();
        assertThat(GeneratedToken.parse(token)).isEqualTo(GeneratedToken.add(commit, 0, "likes", -3));
        assertThat(failure)
                .hasMessageContaining("add -3 to 'likes': the deadline passed")
                .hasMessageContaining(token.value());
    }

    @Test
    void sentAdd_namesTheFailureThatWasRetriedLast() {
        CompletableFuture<Void> add = likes.add(1);
        Call call = backend.adds().next().commit();
        call.reportRetry(new IOException("slow"));
        call.reportRetry(new IllegalStateException(
                "io.grpc.Status: UNAVAILABLE: io exception\nand more", new ConnectException("Connection refused")));

        assertThat(Replies.failureOf(add))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("the deadline passed before the store answered; its last failure:"
                        + " UNAVAILABLE: io exception: Connection refused; resolve token ");
    }

    @Test
    void sentAppend_isUnknownWithATokenThatDescribesIt() {
        CompletableFuture<Entry> append = counters.sequence("invoices").async().append(Map.of());

        GeneratedToken generated = GeneratedToken.parse(Replies.tokenOf(append));

        Commit commit = backend.appends().next().commit();
        assertThat(generated).isEqualTo(GeneratedToken.append(commit, 0, "invoices"));
        assertThat(generated.commitToken()).isEqualTo(commit.token());
    }

    @Test
    void sentRequest_isUnknownWithItsCallersToken() {
        assertThat(Replies.tokenOf(likes.add(3, TOKEN))).isEqualTo(TOKEN);
        assertThat(Replies.tokenOf(counters.sequence("s").async().append(Map.of(), TOKEN)))
                .isEqualTo(TOKEN);
    }

    @Test
    void mergedAdds_areUnknownWithTokensOfTheirOwn() {
        AsyncCounter likes = within(LONGER).counter("likes").async();
        CompletableFuture<Void> first = likes.add(1);
        List<CompletableFuture<Void>> merged = List.of(likes.add(2), likes.add(2), likes.add(5));
        backend.adds().next().succeed();

        Commit commit = backend.adds().next().commit();

        assertThat(first).isCompleted();
        assertThat(merged)
                .extracting(Replies::tokenOf)
                .extracting(GeneratedToken::parse)
                .containsExactly(
                        GeneratedToken.add(commit, 0, "likes", 2),
                        GeneratedToken.add(commit, 1, "likes", 2),
                        GeneratedToken.add(commit, 2, "likes", 5));
    }

    @Test
    void lateAnswer_isIgnored() {
        AsyncCounter likes = within(LONGER).counter("likes").async();
        CompletableFuture<Void> late = likes.add(1);
        assertThat(Replies.tokenOf(late)).isNotNull();
        CompletableFuture<Void> next = likes.add(2);

        backend.adds().next().succeed();
        backend.adds().next().succeed();

        assertThat(Replies.valueOf(next)).isNull();
        assertThat(late).isCompletedExceptionally();
    }

    @Test
    void laterRequests_haveDeadlines() {
        assertThat(Replies.tokenOf(likes.add(1))).isNotNull();
        CompletableFuture<Void> second = likes.add(2);
        assertThat(Replies.failureOf(second)).isExactlyInstanceOf(NotAppliedException.class);
        CompletableFuture<Void> third = likes.add(3);
        assertThat(Replies.failureOf(third)).isExactlyInstanceOf(NotAppliedException.class);
    }

    @Test
    void callersInABatch_haveDeadlinesOfTheirOwn() {
        PendingRequests patient = Waiting.atMost(10, Duration.ofHours(1));
        PendingRequests hurried = Waiting.atMost(10, LONGER);
        Combiner<PendingAdd, Void> combiner = Combiner.adds(
                backend,
                patient,
                nanos -> new Commit(Duration.ofNanos(nanos), new Random(1), CountersListener.disabled()));
        CompletableFuture<Void> first = combiner.submit(
                        new PendingAdd(new AddRequest("likes", 1, null), patient), false)
                .reply();
        Sent<AddRequest, Void> occupying = backend.adds().next();
        CompletableFuture<Void> staying = combiner.submit(
                        new PendingAdd(new AddRequest("likes", 2, null), patient), false)
                .reply();
        Caller<Void> leaving = Caller.calling(() -> combiner.submit(
                                new PendingAdd(new AddRequest("likes", 3, null), hurried), true)
                        .await())
                .parked();
        occupying.succeed();
        Sent<AddRequest, Void> shared = backend.adds().next();
        assertThat(shared.requests()).containsExactly(new AddRequest("likes", 5, null));

        assertThat(GeneratedToken.parse(Replies.tokenOf(leaving.failure())))
                .isEqualTo(GeneratedToken.add(shared.commit(), 1, "likes", 3));
        assertThat(staying).isNotDone();
        shared.succeed();
        assertThat(List.of(first, staying)).allMatch(CompletableFuture::isDone);
    }

    @Test
    void commit_hasTheTimeOfItsLastRequest() {
        CompletableFuture<Void> unused = likes.add(1);

        assertThat(backend.adds().next().commit().remaining()).isLessThanOrEqualTo(SHORT);
    }
}
