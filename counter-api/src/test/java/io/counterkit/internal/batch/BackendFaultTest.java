package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.AsyncCounter;
import io.counterkit.AsyncSequence;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.fixture.BackendFault;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests faults that leave a batch unknown: each caller gets its own token, and the next batch is sent. */
class BackendFaultTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");
    private static final BatchLimits LIMITS = BatchLimits.ofWeight(10);

    @ParameterizedTest
    @EnumSource
    void combinedAddsAreUnknownEachUnderItsToken(BackendFault fault) {
        checkAdds(ScriptedBackend.of(LIMITS), fault);
    }

    @ParameterizedTest
    @EnumSource
    void addsToAChainAreUnknownEachUnderItsToken(BackendFault fault) {
        checkAdds(ScriptedBackend.of(LIMITS.withOnePerName()), fault);
    }

    @ParameterizedTest
    @EnumSource
    void addsThatALeaderSendsAreUnknownEachUnderItsToken(BackendFault fault) {
        ScriptedBackend backend = ScriptedBackend.of(LIMITS.withCallerRuns());
        backend.adds().script(Sent::blocking);
        checkAdds(backend, fault);
    }

    @ParameterizedTest
    @EnumSource
    void appendsAreUnknownEachUnderItsToken(BackendFault fault) {
        checkAppends(ScriptedBackend.of(LIMITS), fault);
    }

    @ParameterizedTest
    @EnumSource
    void appendsThatALeaderSendsAreUnknownEachUnderItsToken(BackendFault fault) {
        ScriptedBackend backend = ScriptedBackend.of(LIMITS.withCallerRuns());
        backend.appends().script(Sent::blocking);
        checkAppends(backend, fault);
    }

    private static void checkAdds(ScriptedBackend backend, BackendFault fault) {
        AsyncCounter likes = Counters.over(backend).counter("likes").async();
        Caller<?> first = Caller.running(() -> likes.add(1).join());
        Sent<AddRequest, Void> sent = backend.adds().next();
        List<CompletableFuture<Void>> unlucky = List.of(likes.add(2), likes.add(3), likes.add(3), likes.add(4, TOKEN));
        backend.adds().script(fault::on);

        sent.succeed();

        Commit commit = backend.adds().next().commit();
        assertThat(unlucky)
                .extracting(Replies::tokenOf)
                .containsExactly(
                        GeneratedToken.add(commit, 0, "likes", 2).toToken(),
                        GeneratedToken.add(commit, 1, "likes", 3).toToken(),
                        GeneratedToken.add(commit, 2, "likes", 3).toToken(),
                        TOKEN);
        assertThat(first.value()).isEqualTo("ran");
        backend.adds().script(Sent::succeeding);
        assertThat(Replies.valueOf(likes.add(5))).isNull();
    }

    private static void checkAppends(ScriptedBackend backend, BackendFault fault) {
        AsyncSequence invoices = Counters.over(backend).sequence("invoices").async();
        Caller<?> first = Caller.running(() -> invoices.append(Map.of()).join());
        Sent<AppendRequest, Entry> sent = backend.appends().next();
        List<CompletableFuture<Entry>> unlucky =
                List.of(invoices.append(Map.of()), invoices.append(Map.of(), TOKEN), invoices.append(Map.of()));
        backend.appends().script(fault::on);

        sent.succeed();

        Commit commit = backend.appends().next().commit();
        assertThat(unlucky)
                .extracting(Replies::tokenOf)
                .containsExactly(
                        GeneratedToken.append(commit, 0, "invoices").toToken(),
                        TOKEN,
                        GeneratedToken.append(commit, 2, "invoices").toToken());
        assertThat(first.value()).isEqualTo("ran");
        backend.appends().script(Sent::succeeding);
        assertThat(Replies.valueOf(invoices.append(Map.of())).number()).isEqualTo(2);
    }
}
