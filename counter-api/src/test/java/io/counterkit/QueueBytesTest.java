package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.fixture.ChildJvm;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.BatchLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the limit of the bytes of pending requests. */
class QueueBytesTest {
    private static final int LEAST = 128 << 10;
    private static final Map<String, Object> LARGE = Map.of("text", "x".repeat(30 << 10));

    static Stream<BatchLimits> limits() {
        return Stream.of(BatchLimits.none(), BatchLimits.ofWeight(10));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void requestsThatTakeMoreThanTheBound_areRefusedUntilThereIsRoom(BatchLimits limits) {
        ScriptedBackend backend = ScriptedBackend.of(limits);
        AsyncSequence invoices = Counters.over(
                        backend, CountersOptions.builder().queueBytes(LEAST).build())
                .sequence("invoices")
                .async();
        List<CompletableFuture<Entry>> accepted = List.of(invoices.append(LARGE), invoices.append(LARGE));

        assertThat(Replies.failureOf(invoices.append(LARGE)))
                .isInstanceOf(QueueFullException.class)
                .hasMessageContainingAll("append to 'invoices'", "2 requests", "131072 bytes", "queueBytes");
        CompletableFuture<Entry> small = invoices.append(Map.of());

        assertThat(accepted).noneMatch(CompletableFuture::isDone);
        assertThat(small).isNotDone();
        while (!small.isDone()) {
            backend.appends().next().succeed();
        }
        assertThat(invoices.append(LARGE)).isNotDone();
    }

    @Test
    void eachPartOfARequest_counts() {
        String text = "x".repeat(400);
        IdempotencyToken token = IdempotencyToken.of(text);
        long empty = roomFor(counters -> counters.sequence("s").async().append(Map.of()));
        assertThat(roomFor(counters -> counters.sequence(text).async().append(Map.of())))
                .isLessThan(empty / 2);
        assertThat(roomFor(counters -> counters.sequence("s").async().append(Map.of(), token)))
                .isLessThan(empty / 2);
        assertThat(roomFor(counters -> counters.sequence("s").async().append(Change.ADDED, text, Map.of())))
                .isLessThan(empty / 2);
        assertThat(roomFor(counters -> counters.sequence("s").async().append(Map.of(text, 1L))))
                .isLessThan(empty / 2);
        assertThat(roomFor(counters -> counters.sequence("s").async().append(Map.of("f", new byte[800]))))
                .isLessThan(empty / 2);
        assertThat(roomFor(counters -> counters.counter("s").async().add(1, token)))
                .isLessThan(empty / 2);
        assertThat(roomFor(counters -> counters.async().readAll(List.of(text), Duration.ZERO)))
                .isLessThan(empty / 2);
    }

    /** Returns how many such requests may wait at once. */
    private static long roomFor(Function<Counters, CompletableFuture<?>> request) {
        ScriptedBackend silent = ScriptedBackend.of(BatchLimits.ofWeight(1));
        silent.answerAll(CompletableFuture::new);
        Counters counters = Counters.over(
                silent, CountersOptions.builder().queueBytes(LEAST).build());
        long accepted = 0;
        while (!request.apply(counters).isDone()) {
            accepted++;
        }
        return accepted;
    }

    @Test
    void largestRequest_hasRoomInTheLeastQueue() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(1));
        Counters counters = Counters.over(
                backend, CountersOptions.builder().queueBytes(LEAST).build());
        String name = "n".repeat(400);
        Map<String, Object> fields = new HashMap<>();
        for (int i = 0; i < 99; i++) {
            fields.put("f" + i, "");
        }
        fields.put("text", "x".repeat((32 << 10) - 300));

        assertThat(counters.sequence(name)
                        .async()
                        .append(Change.ADDED, name, fields, IdempotencyToken.of("t".repeat(512))))
                .isNotDone();
        assertThatThrownBy(() -> CountersOptions.builder().queueBytes(LEAST - 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("queueBytes 131071: use 131072 (128 KiB) or more");
    }

    @Test
    void manyLargeAppends_fitIntoASmallHeap() throws Exception {
        assertThat(ChildJvm.run(Burst.class, "-Xmx64m", "-XX:+ExitOnOutOfMemoryError"))
                .contains("accepted and refused");
    }

    /** The program: 20,000 appends of 30 KB to a store that is silent. */
    static final class Burst {
        private Burst() {}

        public static void main(String[] arguments) {
            ScriptedBackend silent = ScriptedBackend.of(BatchLimits.ofWeight(10));
            AsyncSequence invoices = Counters.over(silent).sequence("invoices").async();
            List<CompletableFuture<Entry>> waiting = new ArrayList<>();
            int refused = 0;
            for (int i = 0; i < 20_000; i++) {
                CompletableFuture<Entry> append = invoices.append(Map.of("text", i + "x".repeat(30_000)));
                if (append.isDone()) {
                    refused++;
                } else {
                    waiting.add(append);
                }
            }
            System.out.println(
                    waiting.size() > 100 && refused > 10_000 ? "accepted and refused" : "refused " + refused);
        }
    }
}
