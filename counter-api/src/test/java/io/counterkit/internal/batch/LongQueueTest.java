package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.AsyncCounter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that long queues whose batches are answered at once do not overflow the stack. */
class LongQueueTest {
    @Test
    void immediateAnswersToALongQueue_doNotOverflowTheStack() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(1));
        Counters counters = withRoomForMany(backend);
        assertThat(counters.counter("c").async().add(1)).isNotDone();
        Sent<AddRequest, Void> first = backend.adds().next();
        backend.adds().script(Sent::succeeding);
        CompletableFuture<Void> queued = queue(100_000, counters);

        first.succeed();

        assertThat(Replies.valueOf(queued)).isNull();
        assertThat(backend.adds().succeedAll()).hasSize(100_000);
    }

    @Test
    void leaderOfALongQueue_doesNotOverflowTheStack() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(1).withCallerRuns());
        backend.adds().script(Sent::blocking);
        Counters counters = withRoomForMany(backend);
        Caller<?> leader = Caller.running(() -> counters.counter("c").add(1));
        Sent<AddRequest, Void> first = backend.adds().next();
        backend.adds().script(Sent::succeeding);
        CompletableFuture<Void> queued = queue(10_000, counters);

        first.succeed();

        assertThat(Replies.valueOf(queued)).isNull();
        assertThat(leader.value()).isEqualTo("ran");
        assertThat(backend.adds().succeedAll()).hasSize(10_000);
    }

    @Test
    void addsFromWithinAnswers_doNotOverflowTheStack() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
        AsyncCounter likes = Counters.over(backend).counter("likes").async();
        CompletableFuture<Void> end = new CompletableFuture<>();
        addOneAfterTheOther(likes, 100_000, end);
        Sent<AddRequest, Void> first = backend.adds().next();
        backend.adds().script(Sent::succeeding);

        first.succeed();

        assertThat(Replies.valueOf(end)).isNull();
    }

    private static Counters withRoomForMany(ScriptedBackend backend) {
        return Counters.over(
                backend,
                CountersOptions.builder()
                        .queueLimit(200_000)
                        .queueBytes(1 << 30)
                        .build());
    }

    /** Adds to two counters in turn, so that adds are not merged. */
    private static CompletableFuture<Void> queue(int count, Counters counters) {
        AsyncCounter even = counters.counter("even").async();
        AsyncCounter odd = counters.counter("odd").async();
        return CompletableFuture.allOf(IntStream.range(0, count)
                .mapToObj(i -> (i % 2 == 0 ? even : odd).add(1))
                .toArray(CompletableFuture<?>[]::new));
    }

    private static void addOneAfterTheOther(AsyncCounter counter, int left, CompletableFuture<Void> end) {
        if (left == 0) {
            end.complete(null);
            return;
        }
        CompletableFuture<?> unused = counter.add(1).thenRun(() -> addOneAfterTheOther(counter, left - 1, end));
    }
}
