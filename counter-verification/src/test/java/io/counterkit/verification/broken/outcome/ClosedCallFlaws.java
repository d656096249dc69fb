package io.counterkit.verification.broken.outcome;

import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Timers;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Chapter 12, continued: calls that are under way when their process is closed. */
final class ClosedCallFlaws {
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(300);

    private ClosedCallFlaws() {}

    static List<Flaw> all() {
        return List.of(
                Flaw.that("reports the calls under way as not applied when it is closed", "12.5")
                        .backend(right -> ending(
                                right,
                                answer -> answer.completeExceptionally(
                                        new NotAppliedException("the backend was closed")))),
                Flaw.that("reports a change that waits for its retry as not applied when it is closed", "12.5")
                        .backend(ClosedCallFlaws::retrying),
                Flaw.that("never answers the calls under way when it is closed", "12.5")
                        .backend(right -> ending(right, answer -> {})));
    }

    /** Passes on no answer after it was closed. */
    private static CounterBackend ending(CounterBackend right, Consumer<CompletableFuture<Object>> end) {
        Queue<CompletableFuture<Object>> answers = new ConcurrentLinkedQueue<>();
        AtomicBoolean isClosed = new AtomicBoolean();
        CounterBackend answering = Intercepted.of(right, call -> {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            answers.add(answer);
            CompletableFuture<?> unused = call.<Object>passOn().whenComplete((value, failure) -> {
                if (isClosed.get()) {
                    return;
                }
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
            return answer;
        });
        return new ForwardingCounterBackend(answering) {
            @Override
            public void close() {
                isClosed.set(true);
                answers.forEach(end);
                backend.close();
            }
        };
    }

    /** Makes a change without a reply once more after a pause, which the close of the backend ends. */
    private static CounterBackend retrying(CounterBackend right) {
        Timers timers = Timers.named("closed-call-flaws");
        return new ForwardingCounterBackend(Intercepted.of(right, call -> retrying(call, timers))) {
            @Override
            public void close() {
                timers.close();
                backend.close();
            }
        };
    }

    private static CompletableFuture<Object> retrying(Sent call, Timers timers) {
        return Futures.recover(
                call.passOn(), OutcomeUnknownException.class, failure -> afterPause(call, timers, failure));
    }

    /** Makes the call again; if that fails, its outcome is as unknown as before. */
    private static CompletableFuture<Object> afterPause(Sent call, Timers timers, Throwable before) {
        return timers.after(PAUSE)
                .exceptionallyCompose(closed ->
                        CompletableFuture.failedFuture(new NotAppliedException("the backend was closed", closed)))
                .thenCompose(passed ->
                        call.<Object>passOn().exceptionallyCompose(failure -> CompletableFuture.failedFuture(before)));
    }
}
