package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.AsyncCounter;
import io.counterkit.AsyncSequence;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Result;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests requests for which the backend returns a retry. */
class RetryResultTest {
    private static final Result<Void> APPLIED = Result.applied();
    private static final Result<Void> AGAIN = Result.retry();
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");

    private final ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
    private final Counters counters = Counters.over(backend);
    private final AsyncCounter likes = counters.counter("likes").async();
    private final AsyncCounter views = counters.counter("views").async();
    private final AsyncCounter stars = counters.counter("stars").async();

    @Test
    void retriedRequest_isInAnotherCommitBeforeLaterOnes() {
        Sent<AddRequest, Void> first = occupy();
        CompletableFuture<Void> one = likes.add(1);
        CompletableFuture<Void> two = views.add(2);
        CompletableFuture<Void> three = stars.add(3);
        first.succeed();
        Sent<AddRequest, Void> second = backend.adds().next();
        CompletableFuture<Void> later = likes.add(4);

        second.answer(List.of(APPLIED, AGAIN, APPLIED));

        Sent<AddRequest, Void> third = backend.adds().next();
        assertThat(third.requests())
                .containsExactly(new AddRequest("views", 2, null), new AddRequest("likes", 4, null));
        assertThat(third.commit().token()).isNotEqualTo(second.commit().token());
        assertThat(List.of(one, three)).allMatch(CompletableFuture::isDone);
        assertThat(List.of(two, later)).noneMatch(CompletableFuture::isDone);
        third.succeed();
        assertThat(List.of(two, later)).noneMatch(CompletableFuture::isCompletedExceptionally);
    }

    @Test
    void retriedRequests_keepTheirOrder() {
        Sent<AddRequest, Void> first = occupy();
        List<CompletableFuture<Void>> unused = List.of(likes.add(1), views.add(2, TOKEN), stars.add(3));
        first.succeed();
        Sent<AddRequest, Void> second = backend.adds().next();
        CompletableFuture<Void> later = views.add(4);

        second.answer(List.of(AGAIN, APPLIED, AGAIN));

        assertThat(backend.adds().next().requests())
                .containsExactly(
                        new AddRequest("likes", 1, null),
                        new AddRequest("stars", 3, null),
                        new AddRequest("views", 4, null));
        assertThat(later).isNotDone();
    }

    @Test
    void mergedAdds_areRetriedTogether() {
        Sent<AddRequest, Void> first = occupy();
        CompletableFuture<Void> refused = views.add(5, TOKEN);
        List<CompletableFuture<Void>> merged = List.of(likes.add(1), likes.add(2));
        first.succeed();

        backend.adds().next().answer(List.of(Result.failed(new NotAppliedException("no")), AGAIN));

        assertThat(Replies.failureOf(refused)).hasMessage("no");
        Sent<AddRequest, Void> third = backend.adds().next();
        assertThat(third.requests()).containsExactly(new AddRequest("likes", 3, null));
        third.succeed();
        assertThat(merged).allSatisfy(add -> assertThat(Replies.valueOf(add)).isNull());
    }

    @Test
    void addWithACallersToken_isRetriedWithIt() {
        Sent<AddRequest, Void> first = occupy();
        List<CompletableFuture<Void>> unused = List.of(likes.add(1), views.add(2, TOKEN));
        first.succeed();

        backend.adds().next().answer(List.of(APPLIED, AGAIN));

        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("views", 2, TOKEN));
    }

    @Test
    void retryOfEverythingWithoutProgress_isNotApplied() {
        Sent<AddRequest, Void> first = occupy();
        List<CompletableFuture<Void>> waiting = List.of(likes.add(1), likes.add(2), views.add(3, TOKEN));
        first.succeed();

        backend.adds().next().answer(List.of(AGAIN, AGAIN));

        assertThat(waiting)
                .extracting(Replies::failureOf)
                .allSatisfy(failure -> assertThat(failure)
                        .isExactlyInstanceOf(NotAppliedException.class)
                        .hasMessageContaining("all requests again"));
        assertThat(Replies.failureOf(waiting.get(1))).hasMessageContaining("add 2 to 'likes'");
        backend.adds().assertNothingMore();
    }

    @Test
    void retryOfEverythingAfterOneHasLeft_isSentWithoutThatOne() {
        Sent<AddRequest, Void> first = occupy();
        CompletableFuture<Void> leaver = likes.add(1);
        List<CompletableFuture<Void>> others = List.of(likes.add(2), views.add(3));
        first.succeed();
        Sent<AddRequest, Void> second = backend.adds().next();
        leaver.cancel(false);

        second.answer(List.of(AGAIN, AGAIN));

        Sent<AddRequest, Void> third = backend.adds().next();
        assertThat(third.requests())
                .containsExactly(new AddRequest("likes", 2, null), new AddRequest("views", 3, null));
        assertThat(third.commit().token()).isNotEqualTo(second.commit().token());
        third.succeed();
        assertThat(others).allSatisfy(add -> assertThat(Replies.valueOf(add)).isNull());
        backend.adds().assertNothingMore();
    }

    @Test
    void requestWhoseCallerHasLeft_isNotRetried() {
        Sent<AddRequest, Void> first = occupy();
        CompletableFuture<Void> leaver = likes.add(1);
        CompletableFuture<Void> applied = views.add(3);
        first.succeed();
        Sent<AddRequest, Void> second = backend.adds().next();
        leaver.cancel(false);

        second.answer(List.of(AGAIN, APPLIED));

        assertThat(applied).isCompleted();
        backend.adds().assertNothingMore();
    }

    @Test
    void endlessRetryOfOneRequest_isGivenUp() {
        Sent<AddRequest, Void> first = occupy();
        List<CompletableFuture<Void>> pair = List.of(likes.add(1), views.add(2));
        first.succeed();
        backend.adds().next().answer(List.of(APPLIED, AGAIN));

        backend.adds().next().answer(List.of(AGAIN));

        assertThat(Replies.failureOf(pair.get(1))).isExactlyInstanceOf(NotAppliedException.class);
        backend.adds().assertNothingMore();
    }

    @Test
    void retriedAppend_isSentBeforeLaterOnes() {
        AsyncSequence invoices = counters.sequence("invoices").async();
        List<CompletableFuture<Entry>> appends = List.of(
                invoices.append(Map.of("i", 0L)), invoices.append(Map.of("i", 1L)), invoices.append(Map.of("i", 2L)));
        backend.appends().next().succeed();
        Sent<AppendRequest, Entry> second = backend.appends().next();
        CompletableFuture<Entry> later = invoices.append(Map.of("i", 3L));

        second.answer(List.of(second.success(0), Result.retry()));

        Sent<AppendRequest, Entry> third = backend.appends().next();
        assertThat(third.requests())
                .extracting(AppendRequest::fields)
                .containsExactly(Map.of("i", 2L), Map.of("i", 3L));
        third.succeed();
        assertThat(Replies.valueOf(appends.get(2)).number()).isEqualTo(3);
        assertThat(Replies.valueOf(later).number()).isEqualTo(4);
    }

    private Sent<AddRequest, Void> occupy() {
        CompletableFuture<Void> unused = counters.counter("first").async().add(1);
        return backend.adds().next();
    }
}
