package io.counterkit.verification.broken.token;

import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Rewritten;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapters 5 and 9, continued: tokens that a backend takes for those of commits, and how long it remembers tokens. */
final class GeneratedTokenFlaws {
    private static final Duration TOO_SHORT = Duration.ofMinutes(59);

    private GeneratedTokenFlaws() {}

    static List<Flaw> all() {
        return List.of(
                Flaw.that("takes a token that is the random part of that of a commit for that one", "9.7")
                        .backend(
                                ConcurrentHashMap::<String>newKeySet,
                                (right, ids) -> Intercepted.of(right, call -> add(call, ids))),
                Flaw.that("stores no token of an add that begins like that of a commit", "9.7")
                        .counters(store -> Rewritten.adds(
                                store,
                                request -> new AddRequest(
                                        request.name(), request.delta(), unlessGenerated(request.token())))),
                Flaw.that("stores no token of an append that begins like that of a commit", "9.9")
                        .sequences(store -> Rewritten.appends(
                                store,
                                request -> new AppendRequest(
                                        request.change(),
                                        request.subject(),
                                        request.fields(),
                                        unlessGenerated(request.token())))),
                Flaw.that("remembers tokens for less than an hour", "5.25").backend(GeneratedTokenFlaws::forgetful));
    }

    private static CompletableFuture<?> add(Sent call, Set<String> ids) {
        if (!call.method().equals("CounterStore.add")) {
            return call.pass();
        }
        List<AddRequest> requests = call.argument(0);
        Commit commit = call.last();
        boolean isKnown = requests.stream()
                .anyMatch(request ->
                        request.token() != null && ids.contains(request.token().value()));
        if (commit.isTokenMade()) {
            ids.add(commit.id());
        }
        return isKnown
                ? Futures.done(
                        requests.stream().map(request -> Result.applied()).toList())
                : call.pass();
    }

    private static @Nullable IdempotencyToken unlessGenerated(@Nullable IdempotencyToken token) {
        return token == null || token.value().startsWith(Commit.TOKEN_PREFIX) ? null : token;
    }

    private static CounterBackend forgetful(CounterBackend right) {
        return new ForwardingCounterBackend(right) {
            @Override
            public Duration retention() {
                return TOO_SHORT;
            }
        };
    }
}
