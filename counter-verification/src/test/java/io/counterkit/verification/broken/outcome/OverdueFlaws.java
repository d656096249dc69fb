package io.counterkit.verification.broken.outcome;

import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Chapters 4 and 7, continued: what a backend makes of the time that a call has. */
public final class OverdueFlaws {
    private static final Duration LONG = Duration.ofHours(1);

    private static final Duration SOON = Duration.ofMillis(50);

    private OverdueFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("fails if a call has more than an hour", "4.12", "4.13")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.<Call>last().remaining().compareTo(LONG) > 0
                                        ? CompletableFuture.failedFuture(
                                                new NotAppliedException("the time of the call has passed"))
                                        : call.pass())),
                abandoning("an import", "13.11", "MigrationStore.importBase"),
                abandoning("an import of a subject", "13.11", "MigrationStore.importSubject"),
                abandoning("a copy", "13.11", "MigrationStore.copy"),
                abandoning("an add", "5.17", "CounterStore.add"),
                abandoning("a reset", "5.17", "CounterStore.reset"),
                abandoning("a deletion", "5.17", "CounterStore.delete"),
                abandoning("a seal of a counter", "5.17", "CounterStore.seal"),
                abandoning("an append", "5.17", "SequenceStore.append"),
                abandoning("an erasure", "5.17", "SequenceStore.erase"),
                abandoning("a seal of a sequence", "5.17", "SequenceStore.seal"),
                overdue(
                        "reports adds as applied if the time of the call has passed",
                        "7.25",
                        "CounterStore.add",
                        call -> Collections.nCopies(
                                call.<List<AddRequest>>argument(0).size(), Result.applied())),
                overdue(
                        "reads 0 if the time of the call has passed",
                        "7.24",
                        "CounterStore.read",
                        call -> Collections.nCopies(
                                call.<List<String>>argument(0).size(),
                                Result.of(new Reading(0, Instant.now(), Duration.ZERO)))),
                overdue(
                        "resolves a token as not applied if the time of the call has passed",
                        "7.14",
                        "CounterBackend.resolve",
                        call -> new Resolution.NotApplied()));
    }

    /** Returns a flaw that reports a change as not applied that has not been answered soon. */
    private static Flaw abandoning(String change, String breaks, String method) {
        return Flaw.that("reports " + change + " as not applied that takes longer than 50 ms", breaks)
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals(method)
                                ? call.passOn()
                                        .copy()
                                        .orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
                                        .exceptionallyCompose(OverdueFlaws::notApplied)
                                : call.pass()));
    }

    private static CompletableFuture<Object> notApplied(Throwable failure) {
        Throwable cause = io.counterkit.spi.Futures.unwrap(failure);
        return CompletableFuture.failedFuture(
                cause instanceof TimeoutException ? new NotAppliedException("the time has passed", cause) : cause);
    }

    /** Returns a flaw that answers calls of one method by itself if their time has passed. */
    private static Flaw overdue(String does, String breaks, String method, Function<Sent, Object> answer) {
        return Flaw.that(does, breaks)
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals(method)
                                        && call.<Call>last().remaining().isNegative()
                                ? Futures.done(answer.apply(call))
                                : call.pass()));
    }
}
