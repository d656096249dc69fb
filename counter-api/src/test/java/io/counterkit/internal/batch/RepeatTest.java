package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.AsyncCounter;
import io.counterkit.AsyncSequence;
import io.counterkit.Change;
import io.counterkit.ContentionException;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Tests changes with a token that an outcome-unknown exception handed out. */
class RepeatTest {
    static final List<BatchLimits> LIMITS = OutcomesTest.LIMITS;

    private static final Commit COMMIT = new Commit(Duration.ofHours(1), new Random(7), CountersListener.disabled());
    private static final IdempotencyToken ADD_5 =
            GeneratedToken.add(COMMIT, 3, "likes", 5).toToken();
    private static final IdempotencyToken APPEND =
            GeneratedToken.append(COMMIT, 2, "invoices").toToken();
    private static final IdempotencyToken RESET =
            GeneratedToken.other(COMMIT, ChangeTarget.counter("likes")).toToken();
    private static final IdempotencyToken ERASE =
            GeneratedToken.other(COMMIT, ChangeTarget.sequence("invoices")).toToken();
    private static final Resolution.NotApplied NOT_APPLIED = new Resolution.NotApplied();

    @ParameterizedTest
    @FieldSource("LIMITS")
    void appliedAdd_isNotSentAgain(BatchLimits limits) {
        ScriptedBackend backend = ScriptedBackend.obedient(limits);
        backend.others().answer("resolve", new Resolution.Added("likes", 100)); // merged with others
        Counters counters = Counters.over(backend);

        counters.counter("likes").add(5, ADD_5);
        assertThat(counters.counter("likes").async().add(5, ADD_5)).isCompleted();

        backend.adds().assertNothingMore();
        assertThat(backend.others().asked())
                .containsExactly(
                        "resolve " + COMMIT.token() + " COUNTER likes -1",
                        "resolve " + COMMIT.token() + " COUNTER likes -1");
    }

    @ParameterizedTest
    @FieldSource("LIMITS")
    void addThatWasNotApplied_isSentWithTheTokenAsACallersOwn(BatchLimits limits) {
        ScriptedBackend backend = ScriptedBackend.obedient(limits);
        backend.others().answer("resolve", NOT_APPLIED);
        Counters counters = Counters.over(backend);

        counters.counter("likes").add(5, ADD_5);
        assertThat(counters.counter("likes").async().add(5, ADD_5)).isCompleted();

        assertThat(backend.adds().succeedAll())
                .extracting(Sent::requests)
                .containsOnly(List.of(new AddRequest("likes", 5, ADD_5)))
                .hasSize(2);
    }

    /** Otherwise a full queue would refuse the repetition each time. */
    @ParameterizedTest
    @FieldSource("LIMITS")
    void changeThatIsSentAgain_takesTheRoomOfOneRequest(BatchLimits limits) {
        ScriptedBackend backend = ScriptedBackend.obedient(limits);
        backend.others().answer("resolve", NOT_APPLIED);
        Counters counters =
                Counters.over(backend, CountersOptions.builder().queueLimit(1).build());

        for (int i = 0; i < 2; i++) {
            counters.counter("likes").add(5, ADD_5);
            assertThat(counters.sequence("invoices").append(Map.of(), APPEND)).isNotNull();
        }

        assertThat(backend.adds().succeedAll()).hasSize(2);
    }

    @Test
    void nothingIsSentBeforeTheCommitIsResolved() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
        CompletableFuture<Resolution> decision = new CompletableFuture<>();
        backend.others().on("resolve", () -> decision);
        Caller<?> caller = Caller.running(
                        () -> Counters.over(backend).counter("likes").add(5, ADD_5))
                .parked();
        backend.adds().assertNothingMore();

        decision.complete(NOT_APPLIED);

        backend.adds().next().succeed();
        assertThat(caller.value()).isEqualTo("ran");
    }

    @ParameterizedTest
    @FieldSource("LIMITS")
    void appliedAppend_returnsItsEntry(BatchLimits limits) {
        ScriptedBackend backend = ScriptedBackend.obedient(limits);
        backend.others().answer("resolve", new Resolution.Appended("invoices", 7));
        Entry seven = entry(7, Change.ADDED, null);
        backend.others().answer("entries", List.of(seven));
        Sequence invoices = Counters.over(backend).sequence("invoices");

        assertThat(invoices.append(Map.of("x", 1L), APPEND)).isEqualTo(seven);
        assertThat(invoices.async().append(Map.of(), APPEND)).isCompletedWithValue(seven);

        backend.appends().assertNothingMore();
        assertThat(backend.others().asked())
                .startsWith("resolve " + COMMIT.token() + " SEQUENCE invoices 2", "entries invoices 7 7")
                .hasSize(4);
    }

    @ParameterizedTest
    @FieldSource("LIMITS")
    void appendThatWasNotApplied_isSentWithTheTokenAsACallersOwn(BatchLimits limits) {
        ScriptedBackend backend = ScriptedBackend.obedient(limits);
        backend.others().answer("resolve", NOT_APPLIED);

        Entry entry = Counters.over(backend).sequence("invoices").append(Change.REMOVED, "s", Map.of(), APPEND);

        assertThat(entry.number()).isEqualTo(1);
        assertThat(backend.appends().next().requests())
                .containsExactly(new AppendRequest(Change.REMOVED, "s", Map.of(), APPEND));
    }

    @Test
    void appendOfAnotherRevision_isRefused() {
        ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.ofWeight(5));
        backend.others().answer("resolve", new Resolution.Appended("invoices", 7));
        backend.others().answer("entries", List.of(entry(7, Change.UPDATED, "s")));
        Sequence invoices = Counters.over(backend).sequence("invoices");

        assertThat(invoices.append(Change.UPDATED, "s", Map.of(), APPEND).number())
                .isEqualTo(7);
        assertThatThrownBy(() -> invoices.append(Change.UPDATED, "t", Map.of(), APPEND))
                .isInstanceOf(TokenRefusedException.class)
                .hasMessageContaining(APPEND.value());
        assertThatThrownBy(() -> invoices.append(Change.REMOVED, "s", Map.of(), APPEND))
                .isInstanceOf(TokenRefusedException.class);
        assertThatThrownBy(() -> invoices.append(Map.of(), APPEND)).isInstanceOf(TokenRefusedException.class);
        backend.appends().assertNothingMore();
    }

    @Test
    void tokenOfAnotherOperation_isRefusedWithoutACall() {
        ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.ofWeight(5));
        Counters counters = Counters.over(backend);
        AsyncCounter likes = counters.counter("likes").async();
        AsyncSequence invoices = counters.sequence("invoices").async();

        assertThat(List.of(
                        likes.add(6, ADD_5),
                        likes.add(-5, ADD_5),
                        counters.counter("views").async().add(5, ADD_5),
                        likes.add(0, RESET),
                        counters.counter("invoices").async().add(0, APPEND),
                        invoices.append(Map.of(), ADD_5),
                        invoices.append(Map.of(), ERASE),
                        counters.sequence("orders").async().append(Map.of(), APPEND)))
                .extracting(Replies::failureOf)
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(TokenRefusedException.class)
                        .hasMessageContaining("stands for another operation"));
        assertThatThrownBy(() -> counters.counter("likes").add(6, ADD_5)).isInstanceOf(TokenRefusedException.class);
        backend.adds().assertNothingMore();
        backend.appends().assertNothingMore();
        assertThat(backend.others().asked()).isEmpty();
    }

    @Test
    void malformedGeneratedToken_isRefused() {
        ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.ofWeight(5));
        Counters counters = Counters.over(backend);
        for (String value : List.of("~ck:", "~ck:mine", COMMIT.token().value())) {
            IdempotencyToken token = IdempotencyToken.of(value);
            Stream<Supplier<CompletableFuture<?>>> async = Stream.of(
                    () -> counters.counter("likes").async().add(1, token),
                    () -> counters.sequence("invoices").async().append(Map.of(), token),
                    () -> counters.async().resolve(token));
            Stream<Runnable> blocking = Stream.of(
                    () -> counters.counter("likes").add(1, token),
                    () -> counters.sequence("invoices").append(Map.of(), token),
                    () -> counters.resolve(token));
            assertThat(async).allSatisfy(call -> refuses(value, call::get));
            assertThat(blocking).allSatisfy(call -> refuses(value, call::run));
        }
        backend.adds().assertNothingMore();
        backend.appends().assertNothingMore();
        assertThat(backend.others().asked()).isEmpty();
    }

    @Test
    void failure_leavesTheTokenUnknown() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(5));
        AsyncCounter likes = Counters.over(backend).counter("likes").async();
        backend.others().on("resolve", () -> CompletableFuture.failedFuture(new IOException("not connected")));
        assertThat(Replies.tokenOf(likes.add(5, ADD_5))).isEqualTo(ADD_5);

        backend.others().answer("resolve", NOT_APPLIED);
        CompletableFuture<Void> repeated = likes.add(5, ADD_5);
        backend.adds().next().fail(new IOException("not connected"));
        assertThat(Replies.tokenOf(repeated)).isEqualTo(ADD_5);

        CompletableFuture<Void> refused = likes.add(5, ADD_5);
        backend.adds().next().fail(new ContentionException("crowded"));
        assertThat(Replies.failureOf(refused)).isInstanceOf(ContentionException.class);
    }

    @Test
    void handedOutToken_canBeRepeated() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(5));
        Counter likes = Counters.over(backend).counter("likes");
        CompletableFuture<Void> lost = likes.async().add(2);
        Sent<AddRequest, Void> first = backend.adds().next();
        first.fail(new IOException("reset by peer"));
        IdempotencyToken token = Replies.tokenOf(lost);
        backend.others().answer("resolve", NOT_APPLIED);
        backend.adds().script(Sent::succeeding);

        likes.add(2, IdempotencyToken.of(token.value()));

        assertThat(backend.others().asked())
                .containsExactly("resolve " + first.commit().token() + " COUNTER likes -1");
        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("likes", 2, token));
    }

    private static void refuses(String value, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'" + value + "'");
    }

    private static Entry entry(long number, Change change, String subject) {
        return ScriptedBackend.entry(number, new AppendRequest(change, subject, Map.of(), null));
    }
}
