package io.counterkit.verification.broken.outcome;

import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Chapter 5, continued: a second attempt that is answered while the first one is still on its way. */
public final class LateAttemptFlaws {
    /** The time after which the client gives up an attempt. */
    private static final long PATIENCE = 20;

    private LateAttemptFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                repeating(
                        "sends a reset again with another token when no reply comes",
                        "CounterStore.reset",
                        call -> call.passWith(1, Commits.another(call.argument(1)))),
                repeating(
                        "sends a deletion again with another token when no reply comes",
                        "CounterStore.delete",
                        call -> call.passWith(1, Commits.another(call.argument(1)))),
                repeating(
                        "keeps no trace of a refused append that it sends again when no reply comes",
                        "SequenceStore.append",
                        Sent::passOn));
    }

    private static Flaw repeating(String does, String method, Function<Sent, CompletableFuture<Object>> another) {
        return Flaw.that(does, "5.22")
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals(method)
                                ? again(call.passOn(), () -> another.apply(call))
                                : call.pass()));
    }

    /** Makes another attempt if the first one has no answer soon, and returns what is answered first. */
    private static <T> CompletableFuture<T> again(CompletableFuture<T> first, Supplier<CompletableFuture<T>> another) {
        CompletableFuture<T> answer = first.copy();
        CompletableFuture.delayedExecutor(PATIENCE, TimeUnit.MILLISECONDS).execute(() -> {
            if (!first.isDone()) {
                CompletableFuture<T> unused = another.get().whenComplete((value, failure) -> {
                    if (failure == null) {
                        answer.complete(value);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
            }
        });
        return answer;
    }
}
