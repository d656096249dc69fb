package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.AsyncCounter;
import io.counterkit.AsyncSequence;
import io.counterkit.Change;
import io.counterkit.ContentionException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import io.counterkit.fixture.BackendFault;
import io.counterkit.fixture.Caller;
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
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a backend that wants every request at once and alone. */
class DirectTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");

    private final ScriptedBackend backend = ScriptedBackend.of(BatchLimits.none());
    private final Counters counters = Counters.over(backend);
    private final AsyncCounter likes = counters.counter("likes").async();

    @Test
    void adds_areSentAtOnceAndAlone() {
        List<CompletableFuture<Void>> adds = List.of(likes.add(1), likes.add(2), likes.add(3, TOKEN));

        Sent<AddRequest, Void> first = backend.adds().next();
        Sent<AddRequest, Void> second = backend.adds().next();
        Sent<AddRequest, Void> third = backend.adds().next();
        assertThat(first.requests()).containsExactly(new AddRequest("likes", 1, null));
        assertThat(second.requests()).containsExactly(new AddRequest("likes", 2, null));
        assertThat(third.requests()).containsExactly(new AddRequest("likes", 3, TOKEN));
        assertThat(first.commit().token()).isNotEqualTo(second.commit().token());
        assertThat(adds).noneMatch(CompletableFuture::isDone);
        third.succeed();
        first.succeed();
        assertThat(adds).extracting(CompletableFuture::isDone).containsExactly(true, false, true);
    }

    @Test
    void appendsToOneSequence_areSentAloneAndOneAfterTheOther() {
        CompletableFuture<Entry> first = counters.sequence("invoices").async().append(Map.of("i", 1L));
        CompletableFuture<Entry> second =
                counters.sequence("invoices").async().append(Change.ADDED, "s", Map.of(), TOKEN);
        Caller<Entry> third = Caller.calling(() -> counters.sequence("invoices").append(Map.of("i", 3L)))
                .parked();
        CompletableFuture<Entry> other = counters.sequence("orders").async().append(Map.of());

        Sent<AppendRequest, Entry> sent = backend.appends().next();
        assertThat(sent.requests()).containsExactly(new AppendRequest(Change.ADDED, null, Map.of("i", 1L), null));
        assertThat(backend.appends().next().sequence()).isEqualTo("orders");
        backend.appends().assertNothingMore();
        sent.succeed();
        Sent<AppendRequest, Entry> next = backend.appends().next();
        assertThat(next.requests()).containsExactly(new AppendRequest(Change.ADDED, "s", Map.of(), TOKEN));
        backend.appends().assertNothingMore();
        next.fail(new NotAppliedException("no"));
        assertThat(Replies.failureOf(second)).isInstanceOf(NotAppliedException.class);
        backend.appends().next().succeed();
        assertThat(third.value().fields()).isEqualTo(Map.of("i", 3L));
        assertThat(first).isCompleted();
        assertThat(other).isNotDone();
    }

    @Test
    void appendsThatAreAnsweredAtOnce_neverWait() {
        backend.appends().script(Sent::succeeding);
        AsyncSequence invoices = counters.sequence("invoices").async();

        assertThat(invoices.append(Map.of())).isCompleted();
        assertThat(invoices.append(Map.of())).isCompleted();
        backend.appends().script(Sent::reply);
        CompletableFuture<Entry> slow = invoices.append(Map.of());
        backend.appends().script(Sent::succeeding);
        CompletableFuture<Entry> behind = invoices.append(Map.of());
        assertThat(behind).isNotDone();
        backend.appends().succeedAll();
        assertThat(List.of(slow, behind)).allMatch(CompletableFuture::isDone);
        assertThat(invoices.append(Map.of())).isCompleted();
    }

    @Test
    void blockingAddReturnsWhenItIsAnswered() {
        Caller<?> caller =
                Caller.running(() -> counters.counter("likes").add(1)).parked();

        backend.adds().next().succeed();

        assertThat(caller.value()).isEqualTo("ran");
    }

    @Test
    void failedResult_isThrown() {
        backend.adds().script(sent -> {
            sent.answer(List.of(Result.failed(new ContentionException("crowded"))));
            return sent.reply();
        });

        assertThatThrownBy(() -> counters.counter("likes").add(1))
                .isInstanceOf(ContentionException.class)
                .hasMessage("crowded");
        assertThat(Replies.failureOf(likes.add(1))).isInstanceOf(ContentionException.class);
    }

    @Test
    void retryOfASingleRequest_isNotApplied() {
        CompletableFuture<Void> add = likes.add(1);
        CompletableFuture<Entry> append = counters.sequence("invoices").async().append(Map.of());

        backend.adds().next().answer(List.of(Result.retry()));
        backend.appends().next().answer(List.of(Result.retry()));

        assertThat(Replies.failureOf(add)).isExactlyInstanceOf(NotAppliedException.class);
        assertThat(Replies.failureOf(append)).isExactlyInstanceOf(NotAppliedException.class);
    }

    @ParameterizedTest
    @EnumSource
    void fault_leavesAnAddUnknownWithItsToken(BackendFault fault) {
        backend.adds().script(fault::on);
        assertThat(GeneratedToken.parse(Replies.tokenOf(likes.add(2))))
                .isEqualTo(GeneratedToken.add(backend.lastCommit(), 0, "likes", 2));
        assertThatThrownBy(() -> counters.counter("likes").add(2, TOKEN))
                .isInstanceOfSatisfying(
                        OutcomeUnknownException.class,
                        failure -> assertThat(failure.token()).isEqualTo(TOKEN));
    }

    @ParameterizedTest
    @EnumSource
    void fault_leavesAnAppendUnknownWithItsToken(BackendFault fault) {
        backend.appends().script(fault::on);
        Sequence invoices = counters.sequence("invoices");

        assertThat(GeneratedToken.parse(Replies.tokenOf(invoices.async().append(Map.of()))))
                .isEqualTo(GeneratedToken.append(backend.lastCommit(), 0, "invoices"));
        assertThatThrownBy(() -> invoices.append(Map.of(), TOKEN))
                .isInstanceOfSatisfying(
                        OutcomeUnknownException.class,
                        failure -> assertThat(failure.token()).isEqualTo(TOKEN));
    }

    /** Answers while the request is being registered. The window is small, so the test tries often. */
    @Test
    void immediateAnswerOnAnotherThread_leavesNoRequestBehind() throws Exception {
        int rounds = 20_000;
        Counters narrow =
                Counters.over(backend, CountersOptions.builder().queueLimit(1).build());
        CyclicBarrier sent = new CyclicBarrier(2);
        Caller<?> store = Caller.calling(() -> {
            for (int i = 0; i < rounds; i++) {
                Sent<AddRequest, Void> add = backend.adds().next();
                sent.await();
                add.succeed();
            }
            return "answered";
        });
        backend.adds().script(add -> {
            await(sent);
            return add.reply();
        });
        for (int i = 0; i < rounds; i++) {
            narrow.counter("likes").add(1); // is refused if an earlier one still counts
        }

        assertThat(store.value()).isEqualTo("answered");
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
