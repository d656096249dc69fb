package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Tail;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Operation;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The end of a {@link Counters}. */
class CloseTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");

    private final ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
    private final Counters patient = Counters.over(backend);
    private final Counters hasty = Counters.over(
            backend,
            CountersOptions.builder().drainTimeout(Duration.ofMillis(50)).build());

    static Stream<Operation> operations() {
        return Operation.all();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationIsRefusedAfterwards(Operation operation) {
        for (BatchLimits limits : OutcomesTest.LIMITS) {
            ScriptedBackend obedient = ScriptedBackend.obedient(limits);
            Counters counters = Counters.over(obedient);
            counters.close();

            assertThatThrownBy(() -> operation.blocking().accept(counters))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            assertThatThrownBy(() -> operation.async().apply(counters))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            obedient.adds().assertNothingMore();
            obedient.appends().assertNothingMore();
            assertThat(obedient.others().asked()).isEmpty();
        }
    }

    @Test
    void waitsForWhatWasSentAndForWhatWaits() {
        CompletableFuture<Void> first = patient.counter("likes").async().add(1);
        CompletableFuture<Void> second = patient.counter("likes").async().add(2);
        Caller<?> closing = draining(patient);
        assertThatThrownBy(() -> patient.counter("likes").add(3)).isInstanceOf(IllegalStateException.class);
        assertThat(backend.closed()).isZero();

        backend.adds().next().succeed();
        Sent<AddRequest, Void> waited = backend.adds().next();
        assertThat(waited.requests()).containsExactly(new AddRequest("likes", 2, null));
        assertThat(closing.isDone()).isFalse();
        waited.succeed();

        assertThat(closing.value()).isEqualTo("ran");
        assertThat(List.of(first, second)).allMatch(reply -> !reply.isCompletedExceptionally());
        assertThat(backend.closed()).isEqualTo(1);
    }

    @Test
    void waitsForCallsThatAreNotCombined() {
        CompletableFuture<Object> tail = new CompletableFuture<>();
        backend.others().on("tail", () -> tail);
        CompletableFuture<Tail> reply = patient.sequence("invoices").async().tail();
        Caller<?> closing = draining(patient);

        tail.complete(Tail.EMPTY);

        assertThat(closing.value()).isEqualTo("ran");
        assertThat(reply).isCompletedWithValue(Tail.EMPTY);
    }

    @Test
    void failuresOfWhatWasAcceptedConcernTheirCallersOnly() {
        CompletableFuture<Void> failed = patient.counter("likes").async().add(1);
        CompletableFuture<Void> cancelled = patient.counter("likes").async().add(2);
        Caller<?> closing = draining(patient);

        cancelled.cancel(false);
        backend.adds().next().fail(new IllegalStateException("not connected"));

        assertThat(closing.value()).isEqualTo("ran");
        assertThat(Replies.tokenOf(failed)).isNotNull();
        assertThat(backend.closed()).isEqualTo(1);
    }

    @Test
    void afterTheTimeoutWaitingOnesAreNotAppliedAndSentOnesUnknown() {
        CompletableFuture<Void> sent = hasty.counter("likes").async().add(1);
        CompletableFuture<Entry> append = hasty.sequence("invoices").async().append(Map.of(), TOKEN);
        CompletableFuture<Void> waiting = hasty.counter("likes").async().add(2);

        assertThatThrownBy(hasty::close)
                .isInstanceOfSatisfying(
                        OutcomeUnknownException.class,
                        failure -> assertThat(failure)
                                .hasMessageContaining("2 changes")
                                .hasMessageContaining(TOKEN.value())
                                .hasMessageContaining(Replies.tokenOf(sent).value()));

        assertThat(GeneratedToken.parse(Replies.tokenOf(sent)))
                .isEqualTo(GeneratedToken.add(backend.adds().next().commit(), 0, "likes", 1));
        assertThat(Replies.tokenOf(append)).isEqualTo(TOKEN);
        assertThat(Replies.failureOf(waiting))
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessage("add 2 to 'likes': the counters were closed before it was sent");
        assertThat(backend.closed()).isEqualTo(1);
    }

    @Test
    void tokenThatCannotBeGenerated_doesNotKeepTheRestFromEnding() {
        IllegalStateException broken = new IllegalStateException("no entropy");
        Counters counters = Counters.over(
                backend,
                CountersOptions.builder()
                        .drainTimeout(Duration.ofMillis(50))
                        .random(() -> {
                            throw broken;
                        })
                        .build());
        CompletableFuture<Void> add = counters.counter("likes").async().add(1);
        CompletableFuture<Entry> append = counters.sequence("invoices").async().append(Map.of());

        counters.close();

        assertThat(List.of(add, append))
                .allSatisfy(reply -> assertThat(Replies.failureOf(reply)).isSameAs(broken));
        assertThat(backend.closed()).isEqualTo(1);
    }

    @Test
    void tokensAreReported_evenIfTheBackendFailsToClose() {
        IllegalStateException broken = new IllegalStateException("the pool is closed");
        Counters counters = Counters.over(
                new ForwardingCounterBackend(backend) {
                    @Override
                    public void close() {
                        throw broken;
                    }
                },
                CountersOptions.builder().drainTimeout(Duration.ofMillis(50)).build());
        CompletableFuture<Void> sent = counters.counter("likes").async().add(1);

        assertThatThrownBy(counters::close)
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining(Replies.tokenOf(sent).value())
                .hasCause(broken);
    }

    @Test
    void readThatIsStillOnItsWayIsNoUnknownChange() {
        backend.others().on("tail", CompletableFuture::new);
        CompletableFuture<Tail> tail = hasty.sequence("invoices").async().tail();

        assertThatCode(hasty::close).doesNotThrowAnyException();

        assertThat(Replies.failureOf(tail)).isExactlyInstanceOf(NotAppliedException.class);
        assertThat(backend.closed()).isEqualTo(1);
    }

    @Test
    void secondTimeDoesNothing() {
        patient.close();
        patient.close();

        assertThat(backend.closed()).isEqualTo(1);
    }

    @Test
    void interruptedCloseWaitsNoLongerAndKeepsTheFlag() {
        CompletableFuture<Void> sent = patient.counter("likes").async().add(1);
        Caller<?> closing = draining(patient);

        closing.interrupt();

        assertThat(Replies.tokenOf(closing.failure())).isEqualTo(Replies.tokenOf(sent));
        assertThat(closing.interruptedAtEnd()).isTrue();
        assertThat(backend.closed()).isEqualTo(1);
    }

    @Test
    void answerAfterwards_isIgnored() {
        CompletableFuture<Void> sent = hasty.counter("likes").async().add(1);
        CompletableFuture<Void> waiting = hasty.counter("likes").async().add(2);
        assertThatThrownBy(hasty::close).isInstanceOf(OutcomeUnknownException.class);

        backend.adds().next().succeed();

        backend.adds().assertNothingMore();
        assertThat(List.of(sent, waiting)).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    /**
     * Adds that come just when it closes: accepted and answered, or refused; the window is small, so it is tried often.
     */
    @Test
    void requestThatIsRefusedIsNotWaitedFor() throws Exception {
        for (int round = 0; round < 500; round++) {
            Counters counters = Counters.over(ScriptedBackend.obedient(BatchLimits.ofWeight(10)));
            CyclicBarrier start = new CyclicBarrier(2);
            Caller<?> adding = Caller.calling(() -> {
                start.await();
                assertThatThrownBy(() -> addForEver(counters)).isInstanceOf(IllegalStateException.class);
                return "refused";
            });
            start.await();
            Caller<?> closing = Caller.running(counters::close);
            assertThat(List.of(adding.value(), closing.value())).hasSize(2);
        }
    }

    private static void addForEver(Counters counters) {
        for (int i = 0; ; i++) {
            CompletableFuture<Void> unused = counters.counter("likes").async().add(1);
            if (i > 10_000) {
                LockSupport.parkNanos(1_000_000); // the close is late, and what was added is kept
            }
        }
    }

    /** A thread that closes, and waits for what was accepted. */
    private static Caller<?> draining(Counters counters) {
        Caller<?> closing = Caller.running(counters::close);
        await().until(() -> closing.thread().getState() == Thread.State.TIMED_WAITING);
        return closing;
    }
}
