package io.counterkit.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.Sequence;
import io.counterkit.fixture.Operation;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the arguments that reach the backend, and those that are refused before. */
class DefaultCountersTest {
    private final ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.ofWeight(5));
    private final Counters counters = Counters.over(backend);

    static Stream<Operation> operations() {
        return Operation.all();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void blockingAndAsynchronousForms_makeTheSameCalls(Operation operation) {
        operation.blocking().accept(counters);
        List<List<?>> blocking = calls();
        backend.others().asked().clear();

        assertThat(operation.async().apply(counters)).isCompleted();

        assertThat(calls()).isEqualTo(blocking);
        assertThat(blocking.stream().mapToInt(List::size).sum()).isEqualTo(1);
    }

    private List<List<?>> calls() {
        return List.of(
                backend.adds().succeedAll().stream().map(Sent::requests).toList(),
                backend.appends().succeedAll().stream().map(Sent::requests).toList(),
                List.copyOf(backend.others().asked()));
    }

    @Test
    void argumentsReachTheBackend() {
        Counter likes = counters.counter("likes");
        Sequence invoices = counters.sequence("invoices");
        likes.read(Duration.ofSeconds(5));
        assertThat(likes.get()).isZero();
        likes.reset();
        likes.delete();
        likes.seal("there");
        invoices.tail();
        invoices.read(3, 7);
        invoices.erase(9);
        invoices.seal("there");
        counters.counterNames("li");
        counters.counterNames("", "here", 5);
        counters.sequenceNames("in");
        counters.sequenceNames("", "here", 5);
        counters.top("li", 4);

        assertThat(backend.others().asked())
                .containsExactly(
                        "read [likes] PT5S",
                        "read [likes] PT0S",
                        "reset likes",
                        "delete likes",
                        "sealCounter likes there",
                        "tail invoices",
                        "entries invoices 3 7",
                        "erase invoices 9",
                        "sealSequence invoices there",
                        "counterNames li null 1000",
                        "counterNames  here 5",
                        "sequenceNames in null 1000",
                        "sequenceNames  here 5",
                        "top li 4");
    }

    @Test
    void handles_knowTheirNamesAndMakeNoCalls() {
        assertThat(counters.counter("likes").name()).isEqualTo("likes");
        assertThat(counters.counter("likes").async().name()).isEqualTo("likes");
        assertThat(counters.sequence("invoices").name()).isEqualTo("invoices");
        assertThat(counters.sequence("invoices").async().name()).isEqualTo("invoices");
        assertThat(counters.counter("likes")).hasToString("Counter[likes]");
        assertThat(counters.sequence("invoices").async()).hasToString("AsyncSequence[invoices]");
        assertThat(backend.others().asked()).isEmpty();
    }

    @Test
    void namesAreChecked() {
        refuses(() -> counters.counter(""), "counter name is empty");
        refuses(() -> counters.counter("x".repeat(401)), "counter name", "401", "400");
        refuses(() -> counters.sequence("\n"), "sequence name", "U+000A");
        refuses(() -> counters.sequence("invoices").append(Change.ADDED, "", Map.of()), "subject is empty");
        refuses(() -> counters.readAll(List.of("a", "\u0000"), Duration.ZERO), "counter name", "U+0000");
        refuses(() -> counters.counterNames("\t"), "prefix", "U+0009");
        refuses(() -> counters.sequenceNames("\t"), "prefix", "U+0009");
        refuses(() -> counters.counter("likes").seal(""), "forward is empty");
        refuses(() -> counters.sequence("invoices").seal("x".repeat(513)), "forward", "513", "512");
    }

    @Test
    void cursor_isUpToTheBackend() {
        String opaque = "\u0000".repeat(5_000);
        counters.counterNames("", opaque, 10);
        counters.sequenceNames("", opaque, 10);
        assertThat(backend.others().asked()).hasSize(2);
    }

    @Test
    void cursorThatTheBackendRefuses_isAnArgumentError() {
        IllegalArgumentException refusal = Limits.refusalOfCursor("x");
        backend.others().on("counterNames", () -> {
            throw refusal;
        });
        assertThatThrownBy(() -> counters.counterNames("", "x", 10)).isSameAs(refusal);
        assertThat(Replies.failureOf(counters.async().counterNames("", "x", 10)))
                .isSameAs(refusal);
    }

    @Test
    void deltasAreChecked() {
        Counter likes = counters.counter("likes");
        long most = 9_007_199_254_740_992L;
        likes.add(most);
        likes.add(-most);
        likes.add(0);

        refuses(() -> likes.add(most + 1), "delta 9007199254740993", "2^53");
        refuses(() -> likes.add(-most - 1), "delta -9007199254740993", "2^53");
        refuses(() -> likes.add(Long.MIN_VALUE, IdempotencyToken.random()), "delta -9223372036854775808");
        refuses(() -> likes.async().add(most + 1), "delta 9007199254740993");
        refuses(() -> likes.async().add(Long.MAX_VALUE, IdempotencyToken.random()), "delta 9223372036854775807");
        assertThat(backend.adds().succeedAll()).hasSize(3);
    }

    @Test
    void tokens_areRequired() {
        assertThatThrownBy(() -> counters.counter("likes").add(1, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> counters.counter("likes").async().add(1, null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> counters.sequence("s").append(Map.of(), null))
                .isInstanceOf(NullPointerException.class);
        backend.adds().assertNothingMore();
        backend.appends().assertNothingMore();
    }

    @Test
    void boundsOfReadsAreChecked() {
        Sequence invoices = counters.sequence("invoices");
        invoices.read(1, 1000);
        invoices.read(Long.MAX_VALUE, Long.MAX_VALUE);
        counters.counterNames("", null, 1);
        counters.sequenceNames("", null, 1000);

        refuses(() -> invoices.read(0, 5), "0", "5");
        refuses(() -> invoices.read(5, 4), "5", "4");
        refuses(() -> invoices.read(1, 1001), "1001", "1000");
        refuses(() -> invoices.read(1, Long.MAX_VALUE), "1000");
        refuses(() -> invoices.erase(0), "number 0");
        refuses(() -> counters.counterNames("", null, 0), "limit 0", "1000");
        refuses(() -> counters.sequenceNames("", null, 1001), "limit 1001", "1000");
        refuses(() -> counters.top("", -1), "limit -1");
        refuses(() -> counters.counter("likes").read(Duration.ofNanos(-1)), "maxStaleness -0.000001 ms");
        refuses(() -> counters.readAll(List.of("likes"), Duration.ofSeconds(-1)), "maxStaleness -1 s");
        assertThat(backend.others().asked()).hasSize(4);
    }

    @Test
    void readAll_readsEachNameOnce() {
        counters.readAll(List.of("b", "a", "b"), Duration.ofSeconds(2));
        assertThat(backend.others().asked()).containsExactly("read [b, a] PT2S");

        List<String> thousand =
                IntStream.range(0, Limits.MAX_PAGE).mapToObj(i -> "c" + i).toList();
        assertThatCode(() -> counters.readAll(thousand, Duration.ZERO)).doesNotThrowAnyException();
        List<String> more =
                Stream.concat(thousand.stream(), Stream.of("one more")).toList();
        refuses(() -> counters.readAll(more, Duration.ZERO), "1001 counters", "1000");
    }

    @Test
    void erasureOfAMissingEntry_isRefused() {
        backend.others().answer("erase", false);

        refuses(() -> counters.sequence("invoices").erase(9), "'invoices' has no entry 9");
        assertThat(Replies.failureOf(counters.sequence("invoices").async().erase(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'invoices' has no entry 9");
    }

    @Test
    void unreadableCounter_failsAlone() {
        Reading five = new Reading(5, Instant.EPOCH, Duration.ZERO);
        CorruptDataException scrambled = new CorruptDataException("scrambled");
        backend.others().answer("read", List.of(Result.failed(scrambled), Result.of(five)));

        Readings readings = counters.readAll(List.of("likes", "views"), Duration.ZERO);

        assertThat(readings.get("views")).isEqualTo(five);
        assertThatThrownBy(() -> readings.get("likes")).isSameAs(scrambled);
        backend.others().answer("read", List.of(Result.failed(scrambled)));
        assertThatThrownBy(() -> counters.counter("likes").get()).isSameAs(scrambled);
    }

    @Test
    void readAll_throwsTheFirstFailureIfAllFail() {
        CorruptDataException scrambled = new CorruptDataException("scrambled");
        NotAppliedException unreachable = new NotAppliedException("unreachable");
        backend.others()
                .answer(
                        "read",
                        List.of(Result.failed(scrambled), Result.failed(unreachable), Result.failed(scrambled)));
        List<String> names = List.of("likes", "views", "sales");

        assertThatThrownBy(() -> counters.readAll(names, Duration.ZERO))
                .isSameAs(scrambled)
                .hasSuppressedException(unreachable);
        assertThat(failureOf(counters.async().readAll(names, Duration.ZERO))).isSameAs(scrambled);
        assertThat(scrambled.getSuppressed()).containsOnly(unreachable);
    }

    @Test
    void readOfNoCounter_isEmpty() {
        assertThat(counters.readAll(List.of(), Duration.ZERO).values()).isEmpty();
    }

    @Test
    void wrongNumberOfResults_fails() {
        for (List<?> wrong : List.of(List.of(), List.of(Result.retry()), Arrays.asList((Object) null))) {
            backend.others().answer("read", wrong);
            assertThat(failureOf(counters.counter("likes").async().get())).isInstanceOf(NotAppliedException.class);
            assertThat(failureOf(counters.async().readAll(List.of("likes"), Duration.ZERO)))
                    .isInstanceOf(NotAppliedException.class);
        }
    }

    private static Throwable failureOf(CompletableFuture<?> reply) {
        return Replies.failureOf(reply);
    }

    private static void refuses(ThrowingCallable call, String... naming) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(naming);
    }
}
