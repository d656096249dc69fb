package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.fixture.Operation;
import io.counterkit.fixture.Recorder;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the limit of the number of pending requests. */
class QueueLimitTest {
    private final CountersOptions.Builder three = CountersOptions.builder().queueLimit(3);

    private final Recorder listener = new Recorder();

    static Stream<Operation> operations() {
        return Operation.all();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void everyOperation_isRefusedAndNotSent(Operation operation) {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
        Counters counters = full(backend);
        Sent<AddRequest, Void> onItsWay = backend.adds().next();

        CompletableFuture<?> refused = operation.async().apply(counters);
        assertThat(refused).isCompletedExceptionally();
        assertThat(Replies.failureOf(refused))
                .isInstanceOf(QueueFullException.class)
                .hasMessageContaining("3 requests are waiting")
                .hasMessageContaining("queueLimit");
        assertThatThrownBy(() -> operation.blocking().accept(counters)).isInstanceOf(QueueFullException.class);

        assertThat(listener.others()).hasSize(2).allMatch(event -> event.startsWith("full "));
        onItsWay.succeed();
        assertThat(backend.adds().succeedAll())
                .extracting(Sent::requests)
                .containsExactly(List.of(new AddRequest("likes", 2, null)));
        backend.appends().assertNothingMore();
        assertThat(backend.others().asked()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void answer_makesRoom(Operation operation) {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
        Counters counters = full(backend);

        backend.adds().script(Sent::succeeding);
        backend.appends().script(Sent::succeeding);
        backend.adds().next().succeed();

        operation.blocking().accept(counters);
        assertThat(operation.async().apply(counters)).succeedsWithin(Replies.PATIENCE);
        assertThat(listener.others()).noneMatch(event -> event.startsWith("full"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sentRequests_countUntilTheyAreAnswered(boolean direct) {
        ScriptedBackend backend = ScriptedBackend.of(
                direct ? BatchLimits.none() : BatchLimits.ofWeight(1).withInFlight(5));
        Counters counters = Counters.over(backend, three.build());
        List<CompletableFuture<Void>> adds = IntStream.range(0, 5)
                .mapToObj(i -> counters.counter("c" + i).async().add(1))
                .toList();

        assertThat(adds).extracting(CompletableFuture::isDone).containsExactly(false, false, false, true, true);
        backend.adds().next().fail(new NotAppliedException("no"));
        CompletableFuture<Void> next = counters.counter("c5").async().add(1);
        assertThat(next).isNotDone();
        assertThat(backend.adds().succeedAll()).hasSize(3);
        assertThat(next).isCompleted();
    }

    @Test
    void readsAndChangesInFlight_count() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.none());
        CompletableFuture<Void> reset = new CompletableFuture<>();
        backend.others().on("reset", () -> reset);
        backend.others().on("tail", CompletableFuture::new);
        Counters counters = Counters.over(backend, three.build());
        AsyncCounter likes = counters.counter("likes").async();
        AsyncSequence invoices = counters.sequence("invoices").async();

        List<CompletableFuture<?>> waiting = List.of(likes.reset(), invoices.tail(), invoices.append(Map.of()));

        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        assertThat(Replies.failureOf(likes.get())).isInstanceOf(QueueFullException.class);
        reset.complete(null);
        assertThat(Replies.valueOf(likes.get())).isZero();
    }

    @Test
    void refusal_isReportedToTheListener() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));

        CompletableFuture<Void> unused = full(backend).counter("views").async().add(7);

        assertThat(listener.others()).containsExactly("full add 7 to 'views'");
    }

    @Test
    void requestsThatAreGivenUp_makeRoom() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
        Counters counters = Counters.over(
                backend,
                CountersOptions.builder()
                        .queueLimit(1)
                        .deadline(Duration.ofSeconds(1))
                        .build());
        AsyncCounter likes = counters.counter("likes").async();
        assertThat(Replies.tokenOf(likes.add(1))).isNotNull();

        assertThat(Replies.failureOf(likes.add(2)))
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasMessageContaining("deadline");
    }

    /** Fills the queue with one add in flight and two waiting ones, merged. */
    private Counters full(ScriptedBackend backend) {
        Counters counters = Counters.over(backend, three.listener(listener).build());
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Void> unused = counters.counter("likes").async().add(1);
        }
        return counters;
    }
}
