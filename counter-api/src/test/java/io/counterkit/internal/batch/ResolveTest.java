package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the resolution of tokens. */
class ResolveTest {
    private static final Commit COMMIT = new Commit(Duration.ofHours(1), new Random(7), CountersListener.disabled());
    private static final IdempotencyToken CALLERS = IdempotencyToken.of("order-1");
    private static final IdempotencyToken ADD =
            GeneratedToken.add(COMMIT, 3, "likes", -5).toToken();
    private static final IdempotencyToken APPEND =
            GeneratedToken.append(COMMIT, 2, "invoices").toToken();
    private static final IdempotencyToken RESET =
            GeneratedToken.other(COMMIT, ChangeTarget.counter("likes")).toToken();
    private static final IdempotencyToken ERASE =
            GeneratedToken.other(COMMIT, ChangeTarget.sequence("invoices")).toToken();
    private static final Resolution NOT_APPLIED = new Resolution.NotApplied();

    private final ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(5));
    private final Counters counters = Counters.over(backend);

    @Test
    void callersToken_isResolvedByTheBackend() {
        for (Resolution resolution :
                List.of(new Resolution.Added("likes", 3), new Resolution.Appended("invoices", 4), NOT_APPLIED)) {
            backend.others().answer("resolve", resolution);
            assertThat(counters.resolve(CALLERS)).isEqualTo(resolution);
            assertThat(counters.async().resolve(CALLERS)).isCompletedWithValue(resolution);
        }
        assertThat(backend.others().asked())
                .containsOnly("resolve order-1 callers")
                .hasSize(6);
    }

    @Test
    void generatedToken_isResolvedByItsCommitToTheCallersChange() {
        backend.others().answer("resolve", new Resolution.Added("likes", 100)); // merged with others
        assertThat(counters.resolve(ADD)).isEqualTo(new Resolution.Added("likes", -5));
        assertThat(counters.resolve(RESET)).isEqualTo(new Resolution.Done("likes"));
        assertThat(counters.resolve(ERASE)).isEqualTo(new Resolution.Done("invoices"));
        backend.others().answer("resolve", new Resolution.Appended("invoices", 7));
        assertThat(counters.resolve(APPEND)).isEqualTo(new Resolution.Appended("invoices", 7));

        assertThat(backend.others().asked())
                .containsExactly(
                        "resolve " + COMMIT.token() + " COUNTER likes -1",
                        "resolve " + COMMIT.token() + " COUNTER likes -1",
                        "resolve " + COMMIT.token() + " SEQUENCE invoices -1",
                        "resolve " + COMMIT.token() + " SEQUENCE invoices 2");
    }

    @Test
    void repetitionOfACommitThatWasNotApplied_isResolvedToo() {
        Resolution.Added repeated = new Resolution.Added("likes", -5);
        backend.others()
                .on("resolve", () -> CompletableFuture.completedFuture(lastIsAboutACommit() ? NOT_APPLIED : repeated));

        assertThat(counters.resolve(ADD)).isEqualTo(repeated);

        assertThat(backend.others().asked())
                .containsExactly("resolve " + COMMIT.token() + " COUNTER likes -1", "resolve " + ADD + " callers");
    }

    @Test
    void neitherAppliedNorRepeatedIsNotApplied() {
        assertThat(counters.resolve(ADD)).isEqualTo(NOT_APPLIED);
        assertThat(counters.resolve(APPEND)).isEqualTo(NOT_APPLIED);

        assertThat(backend.others().asked())
                .containsExactly(
                        "resolve " + COMMIT.token() + " COUNTER likes -1",
                        "resolve " + ADD + " callers",
                        "resolve " + COMMIT.token() + " SEQUENCE invoices 2",
                        "resolve " + APPEND + " callers");
    }

    @Test
    void unrepeatableChange_isResolvedOnce() {
        assertThat(counters.resolve(RESET)).isEqualTo(NOT_APPLIED);
        assertThat(counters.resolve(ERASE)).isEqualTo(NOT_APPLIED);

        assertThat(backend.others().asked())
                .hasSize(2)
                .allMatch(asked -> asked.contains(COMMIT.token().value()));
    }

    @Test
    void failure_leavesTheTokenUnknown() {
        for (IdempotencyToken token : List.of(CALLERS, ADD, APPEND, RESET, ERASE)) {
            for (Exception cause : List.of(new IOException("not connected"), new NotAppliedException("busy"))) {
                backend.others().on("resolve", () -> CompletableFuture.failedFuture(cause));
                assertThatThrownBy(() -> counters.resolve(token))
                        .hasCause(cause)
                        .satisfies(
                                failure -> assertThat(Replies.tokenOf(failure)).isEqualTo(token));
                assertThat(Replies.tokenOf(counters.async().resolve(token))).isEqualTo(token);
            }
        }
    }

    @Test
    void failureOfTheSecondCall_leavesTheTokenUnknown() {
        backend.others()
                .on(
                        "resolve",
                        () -> lastIsAboutACommit()
                                ? CompletableFuture.completedFuture(NOT_APPLIED)
                                : CompletableFuture.failedFuture(new IOException("not connected")));

        assertThat(Replies.tokenOf(counters.async().resolve(APPEND))).isEqualTo(APPEND);
    }

    @Test
    void token_isRequired() {
        assertThatThrownBy(() -> counters.resolve(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("token");
    }

    private boolean lastIsAboutACommit() {
        List<String> asked = backend.others().asked();
        return !asked.get(asked.size() - 1).endsWith("callers");
    }
}
