package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.CountersListener;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that the queue of a name is removed when it is idle, so that a name that is used once takes up no memory. */
class IdleQueueTest {
    private final ScriptedBackend backend =
            ScriptedBackend.of(BatchLimits.ofWeight(10).withOnePerName());
    private final PendingRequests pending = Waiting.atMost(1_000, Duration.ofHours(1));
    private final Combiner<PendingAdd, Void> combiner = Combiner.adds(
            backend, pending, nanos -> new Commit(Duration.ofNanos(nanos), new Random(1), CountersListener.disabled()));

    @Test
    void queueOfASingleCaller_isRemovedAtOnce() {
        add("a");
        assertThat(combiner.isBusy("a")).isTrue();
        backend.adds().next().succeed();
        assertThat(combiner.isBusy("a")).isFalse();
    }

    @Test
    void queueWhoseCallersDoNotReturn_isRemoved() {
        sendThree("a").succeed();
        awaitNoneIsBusy(List.of("a"));
    }

    /**
     * The timer of the first answer is due before the time in which the callers of the second one may return. It is due
     * after 2 ms, and later on a busy machine.
     */
    @Test
    void queueWhoseCallersReturnOnlyOnce_isRemoved() {
        List<String> names = IntStream.range(0, 60).mapToObj(i -> "c" + i).toList();
        long micros = 1_700;
        for (String name : names) {
            Sent<AddRequest, Void> first = sendThree(name);
            letPass(TimeUnit.MILLISECONDS.toNanos(9));
            long answered = System.nanoTime();
            first.succeed();
            addThree(name);
            Sent<AddRequest, Void> second = backend.adds().next();
            letPass(answered + TimeUnit.MICROSECONDS.toNanos(micros) - System.nanoTime());
            micros += 40;
            second.succeed();
            backend.adds().succeedAll(); // of a caller that returned too late
        }
        awaitNoneIsBusy(names);
    }

    private void awaitNoneIsBusy(List<String> names) {
        await().atMost(Replies.PATIENCE).untilAsserted(() -> {
            backend.adds().succeedAll();
            assertThat(names).noneMatch(combiner::isBusy);
        });
    }

    private static void letPass(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /** Sends a batch of three requests, and returns it. */
    private Sent<AddRequest, Void> sendThree(String name) {
        add(name);
        Sent<AddRequest, Void> first = backend.adds().next();
        addThree(name);
        first.succeed();
        return backend.adds().next();
    }

    private void addThree(String name) {
        for (int i = 0; i < 3; i++) {
            add(name);
        }
    }

    private void add(String name) {
        PendingAdd unused = combiner.submit(new PendingAdd(new AddRequest(name, 1, null), pending), false);
    }
}
