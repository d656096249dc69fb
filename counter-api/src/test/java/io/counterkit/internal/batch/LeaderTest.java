package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests batches on callers' threads: one caller leads for the others, then another takes over. */
class LeaderTest {
    private final ScriptedBackend backend =
            ScriptedBackend.of(BatchLimits.ofWeight(1).withCallerRuns());
    private final Counters counters = Counters.over(backend);

    @BeforeEach
    void blockUntilAnswered() {
        backend.adds().script(Sent::blocking);
        backend.appends().script(Sent::blocking);
    }

    @Test
    void batch_runsOnTheThreadOfItsCaller() {
        Caller<?> caller = adding("a");

        Sent<AddRequest, Void> sent = backend.adds().next();
        assertThat(sent.thread()).isSameAs(caller.thread());
        sent.succeed();
        assertThat(caller.value()).isEqualTo("ran");
    }

    @Test
    void leader_returnsWithItsAnswerAndAWaitingCallerTakesOver() {
        Caller<?> first = adding("a");
        Sent<AddRequest, Void> ofFirst = backend.adds().next();
        Caller<?> second = adding("b").parked();
        Caller<?> third = adding("c").parked();
        backend.adds().assertNothingMore();

        ofFirst.succeed();

        assertThat(first.value()).isEqualTo("ran");
        Sent<AddRequest, Void> ofSecond = backend.adds().next();
        assertThat(ofSecond.thread()).isSameAs(second.thread());
        backend.adds().assertNothingMore();

        ofSecond.succeed();
        assertThat(second.value()).isEqualTo("ran");
        Sent<AddRequest, Void> ofThird = backend.adds().next();
        assertThat(ofThird.thread()).isSameAs(third.thread());
        ofThird.succeed();
        assertThat(third.value()).isEqualTo("ran");
    }

    @Test
    void leader_sendsTheRequestsOfOthers() {
        Caller<?> first = adding("a");
        Sent<AddRequest, Void> ofFirst = backend.adds().next();
        Caller<?> second = adding("b").parked();
        Caller<?> third = adding("b").parked();

        ofFirst.succeed();

        Sent<AddRequest, Void> shared = backend.adds().next();
        assertThat(shared.requests()).containsExactly(new AddRequest("b", 2, null));
        assertThat(shared.thread()).isSameAs(second.thread());
        shared.succeed();
        assertThat(List.of(first.value(), second.value(), third.value())).containsOnly("ran");
    }

    @Test
    void asynchronousRequestsThatRemain_areSentByTheLeader() {
        Caller<?> leader = adding("a");
        Sent<AddRequest, Void> own = backend.adds().next();
        List<CompletableFuture<Void>> left = List.of(addAsync("b"), addAsync("c"));
        assertThat(left).noneMatch(CompletableFuture::isDone);

        own.succeed();

        Sent<AddRequest, Void> ofB = backend.adds().next();
        assertThat(ofB.thread()).isSameAs(leader.thread());
        assertThat(leader.isDone()).isFalse();
        ofB.succeed();
        Sent<AddRequest, Void> ofC = backend.adds().next();
        assertThat(ofC.thread()).isSameAs(leader.thread());
        ofC.succeed();
        assertThat(leader.value()).isEqualTo("ran");
        assertThat(left).allMatch(CompletableFuture::isDone);
    }

    @Test
    void waitingCaller_takesOverWithTheAsynchronousRequestsBeforeIt() {
        Caller<?> first = adding("a");
        Sent<AddRequest, Void> ofFirst = backend.adds().next();
        CompletableFuture<Void> async = addAsync("b");
        Caller<?> second = adding("c").parked();

        ofFirst.succeed();

        assertThat(first.value()).isEqualTo("ran");
        Sent<AddRequest, Void> ofAsync = backend.adds().next();
        assertThat(ofAsync.requests()).containsExactly(new AddRequest("b", 1, null));
        assertThat(ofAsync.thread()).isSameAs(second.thread());
        ofAsync.succeed();
        assertThat(Replies.valueOf(async)).isNull();
        Sent<AddRequest, Void> ofSecond = backend.adds().next();
        assertThat(ofSecond.thread()).isSameAs(second.thread());
        ofSecond.succeed();
        assertThat(second.value()).isEqualTo("ran");
    }

    @Test
    void leader_staysUntilItsRetriedRequestIsAnswered() {
        ScriptedBackend wide = ScriptedBackend.of(BatchLimits.ofWeight(2).withCallerRuns());
        wide.adds().script(Sent::blocking);
        Counters wideCounters = Counters.over(wide);
        Caller<?> first = Caller.running(() -> wideCounters.counter("a").add(1));
        Sent<AddRequest, Void> ofFirst = wide.adds().next();
        Caller<?> second =
                Caller.running(() -> wideCounters.counter("b").add(1)).parked();
        Caller<?> third = Caller.running(() -> wideCounters.counter("c").add(1)).parked();
        ofFirst.succeed();

        wide.adds().next().answer(List.of(Result.retry(), Result.applied()));

        Sent<AddRequest, Void> again = wide.adds().next();
        assertThat(again.requests()).containsExactly(new AddRequest("b", 1, null));
        assertThat(again.thread()).isSameAs(second.thread());
        again.succeed();
        assertThat(List.of(first.value(), second.value(), third.value())).containsOnly("ran");
    }

    @Test
    void leaderWithAnErrorOfTheBackend_handsOver() {
        backend.adds().script(sent -> {
            sent.blocking().join();
            throw new NoClassDefFoundError("client of the store");
        });
        Caller<?> first = adding("a");
        Sent<AddRequest, Void> ofFirst = backend.adds().next();
        Caller<?> second = adding("b").parked();
        CompletableFuture<Void> async = addAsync("c");
        backend.adds().script(Sent::succeeding);

        ofFirst.succeed();

        assertThat(first.failure())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(NoClassDefFoundError.class);
        assertThat(second.value()).isEqualTo("ran");
        assertThat(Replies.valueOf(async)).isNull();
    }

    @Test
    void leaderWithARequestThatCannotBeWeighed_handsOver() {
        Caller<?> first = adding("a");
        Sent<AddRequest, Void> ofFirst = backend.adds().next();
        Caller<?> second = adding("heavy").parked();
        Caller<?> third = adding("c").parked();
        backend.adds().weight(request -> {
            if (request.name().equals("heavy")) {
                throw new NoClassDefFoundError("scales of the store");
            }
            return 1;
        });
        backend.adds().script(Sent::succeeding);

        ofFirst.succeed();

        assertThat(first.value()).isEqualTo("ran");
        assertThat(second.failure())
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessageContaining("add 1 to 'heavy'")
                .hasCauseInstanceOf(NoClassDefFoundError.class);
        assertThat(third.value()).isEqualTo("ran");
    }

    @Test
    void leaderAtItsDeadlineInTheBackend_handsOver() {
        CountersOptions hurried =
                CountersOptions.builder().deadline(Duration.ofSeconds(1)).build();
        Counters others = Counters.over(backend, hurried);
        Caller<?> first = Caller.running(() -> others.counter("a").add(1));
        Sent<AddRequest, Void> ofFirst = backend.adds().next();
        for (String late : List.of("b", "c")) { // the leader's request ends before the second one
            assertThat(Replies.failureOf(others.counter(late).async().add(1)))
                    .isExactlyInstanceOf(NotAppliedException.class);
        }
        assertThat(first.isDone()).isFalse();
        backend.adds().script(Sent::succeeding);

        ofFirst.succeed();

        assertThat(first.failure()).isInstanceOf(OutcomeUnknownException.class);
        backend.adds().assertNothingMore();
        others.counter("d").add(1);
        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("d", 1, null));
    }

    @Test
    void eachSequence_hasALeaderOfItsOwn() {
        Caller<Entry> invoice =
                Caller.calling(() -> counters.sequence("invoices").append(Map.of()));
        Sent<?, Entry> ofInvoice = backend.appends().next();
        Caller<Entry> order = Caller.calling(() -> counters.sequence("orders").append(Map.of()));
        Sent<?, Entry> ofOrder = backend.appends().next();
        Caller<Entry> nextOrder = Caller.calling(
                        () -> counters.sequence("orders").append(Map.of()))
                .parked();

        assertThat(ofInvoice.thread()).isSameAs(invoice.thread());
        assertThat(ofOrder.thread()).isSameAs(order.thread());
        ofOrder.succeed();
        Sent<?, Entry> ofNextOrder = backend.appends().next();
        assertThat(ofNextOrder.thread()).isSameAs(nextOrder.thread());
        ofNextOrder.succeed();
        ofInvoice.succeed();
        assertThat(List.of(
                        order.value().number(),
                        nextOrder.value().number(),
                        invoice.value().number()))
                .containsExactly(1L, 2L, 3L);
    }

    private Caller<?> adding(String name) {
        return Caller.running(() -> counters.counter(name).add(1));
    }

    private CompletableFuture<Void> addAsync(String name) {
        return counters.counter(name).async().add(1);
    }
}
