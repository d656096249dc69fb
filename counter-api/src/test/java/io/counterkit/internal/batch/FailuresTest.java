package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Tests the messages of failures and resolutions. */
class FailuresTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");

    @Test
    void failureWithoutAMessage_isReportedInWords() {
        for (Throwable silent : List.of(new TimeoutException(), new ClosedChannelException(), new Exception(""))) {
            assertThat(Failures.ofRead(silent, "reading 'likes'"))
                    .hasMessageStartingWith("reading 'likes' failed: ")
                    .hasMessageNotContaining("null");
            assertThat(Failures.ofChange(silent, "add 5 to 'likes'", () -> TOKEN))
                    .hasMessageStartingWith("add 5 to 'likes': ")
                    .hasMessageNotContainingAny("null", "()");
        }
    }

    @Test
    void unknownOutcome_namesTheTokenOfItsCaller() {
        for (IdempotencyToken token : List.of(TOKEN, IdempotencyToken.of("of-the-commit"))) {
            assertThat(Failures.ofChange(
                            new OutcomeUnknownException("adding may have been applied: a time-out", token, null),
                            "add 5 to 'likes'",
                            () -> TOKEN))
                    .hasMessage("add 5 to 'likes': the store did not say whether it was applied (adding may have been"
                            + " applied: a time-out); resolve token order-1 to learn its outcome");
        }
        OutcomeUnknownException own = new OutcomeUnknownException("repeat it with token order-1", TOKEN, null);
        assertThat(Failures.ofChange(own, "add 5 to 'likes'", () -> TOKEN)).isSameAs(own);
    }

    @Test
    void resolutions_areWords() {
        assertThat(List.of(
                        new Resolution.Added("likes", 5),
                        new Resolution.Appended("invoices", 7),
                        new Resolution.Done("likes"),
                        new Resolution.NotApplied()))
                .extracting(Resolution::toString)
                .containsExactly(
                        "an add of 5 to 'likes'",
                        "entry 7 of 'invoices'",
                        "another change of 'likes'",
                        "a change that was resolved as not applied");
    }

    /** The cause of the failure is in the store, so the message names the entry. */
    @Test
    void repeatedAppendWhoseEntryIsMissing_namesTheEntry() {
        ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.ofWeight(5));
        backend.others().answer("resolve", new Resolution.Appended("invoices", 7));
        backend.others().answer("entries", List.of());

        assertThatThrownBy(() -> appendAgain(backend))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("entry 7 of 'invoices' was appended, but is missing");
    }

    /** A backend may throw a failure instead of returning it. */
    @Test
    void repeatedAppendWhoseEntryCannotBeRead_isNotReportedAsNotApplied() {
        ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.ofWeight(5));
        backend.others().answer("resolve", new Resolution.Appended("invoices", 7));
        backend.others().on("entries", () -> {
            throw new NotAppliedException("no connection", null);
        });

        assertThatThrownBy(() -> appendAgain(backend))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("no connection");
    }

    /** Repeats an append with the token of an unknown outcome. */
    private static void appendAgain(ScriptedBackend backend) {
        Commit commit = new Commit(Duration.ofHours(1), new Random(7), CountersListener.disabled());
        IdempotencyToken token = GeneratedToken.append(commit, 0, "invoices").toToken();
        Sequence invoices = Counters.over(backend).sequence("invoices");
        invoices.append(Map.of(), token);
    }
}
