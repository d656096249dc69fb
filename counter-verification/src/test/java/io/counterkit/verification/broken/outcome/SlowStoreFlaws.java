package io.counterkit.verification.broken.outcome;

import io.counterkit.NamePage;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.NameState;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Chapters 5 and 7, continued: what a backend answers if the store has not answered when the deadline is near. */
public final class SlowStoreFlaws {
    private SlowStoreFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                slow(
                        "resolves a token as not applied",
                        "7.14",
                        "CounterBackend.resolve",
                        call -> new Resolution.NotApplied()),
                slow("lists no counters", "7.14", "CounterStore.names", call -> new NamePage(List.of(), null)),
                slow("lists no sequences", "7.14", "SequenceStore.names", call -> new NamePage(List.of(), null)),
                slow("lists no largest counters", "7.14", "CounterStore.top", call -> List.of()),
                slow(
                        "reports names as absent",
                        "7.14",
                        "MigrationStore.states",
                        call -> Collections.nCopies(
                                call.<List<String>>argument(1).size(), new NameState(false, null, null))),
                slow("reports a subject as unknown", "7.14", "MigrationStore.subject", call -> Optional.empty()),
                slow("reports an erasure as applied", "5.17", "SequenceStore.erase", call -> true));
    }

    private static Flaw slow(String does, String breaks, String method, Function<Sent, Object> answer) {
        return Flaw.that(does + " if the store is slow", breaks)
                .backend(right -> Intercepted.of(
                        right, call -> call.method().equals(method) ? soon(call, answer.apply(call)) : call.pass()));
    }

    /** Returns the answer of the store, or this one shortly before the deadline. */
    private static CompletableFuture<Object> soon(Sent call, Object otherwise) {
        Duration remaining = call.<Call>last().remaining();
        return call.<Object>passOn()
                .copy()
                .completeOnTimeout(otherwise, remaining.toMillis() * 2 / 3, TimeUnit.MILLISECONDS);
    }
}
