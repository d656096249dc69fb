package io.counterkit.verification.broken.outcome;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chapter 5, continued: a second attempt that is answered while the first one is on its way, and commits soon
 * forgotten.
 */
public final class LateAttemptFlaws {
    /** The time after which the client gives up an attempt. */
    private static final long PATIENCE = 20;

    /** How long a commit is remembered, in nanoseconds. */
    private static final long SHORT_RETENTION = TimeUnit.SECONDS.toNanos(1);

    private LateAttemptFlaws() {}

    public static List<Flaw> all() {
        return Stream.concat(
                        attempts().stream(),
                        Stream.of(
                                        "CounterStore.add",
                                        "CounterStore.reset",
                                        "CounterStore.delete",
                                        "CounterStore.seal",
                                        "SequenceStore.erase",
                                        "SequenceStore.seal")
                                .map(LateAttemptFlaws::forgetting))
                .toList();
    }

    private static List<Flaw> attempts() {
        return List.of(
                Flaw.that("forgets soon the seals of counters", "5.22")
                        .backend(ConcurrentHashMap::new, LateAttemptFlaws::forgettingSeals),
                Flaw.that("forgets soon what was imported", "5.22")
                        .backend(ConcurrentHashMap::new, LateAttemptFlaws::forgettingImports),
                Flaw.that("forgets soon that commits of adds were resolved", "5.22")
                        .backend(ConcurrentHashMap::new, LateAttemptFlaws::forgettingDecisions),
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
                        Sent::passOn),
                repeating(
                        "keeps no trace of an erasure without an entry that it sends again when no reply comes",
                        "SequenceStore.erase",
                        Sent::passOn),
                repeating(
                        "keeps no trace of a refused import that it sends again when no reply comes",
                        "MigrationStore.importBase",
                        Sent::passOn));
    }

    /** Forgets the commits of one kind of change after a second. */
    private static Flaw forgetting(String method) {
        return Flaw.that("forgets soon the commits of " + method, "5.22")
                .backend(
                        ConcurrentHashMap<IdempotencyToken, Long>::new,
                        (right, made) -> Intercepted.of(right, call -> {
                            if (call.method().equals(method)) {
                                Commit commit = call.last();
                                made.put(commit.token(), System.nanoTime());
                            } else if (call.method().equals("CounterBackend.resolve")) {
                                Long at = made.get(call.<IdempotencyToken>argument(0));
                                if (isExpired(at)) {
                                    return CompletableFuture.completedFuture(new Resolution.NotApplied());
                                }
                            }
                            return call.pass();
                        }));
    }

    /** Ignores adds to a counter whose seal has expired. */
    private static CounterBackend forgettingSeals(CounterBackend right, Map<Object, Long> made) {
        return Intercepted.of(right, call -> {
            if (call.method().equals("CounterStore.seal")) {
                made.putIfAbsent(call.<String>argument(0), System.nanoTime());
            }
            boolean isForgotten = call.method().equals("CounterStore.add")
                    && call.<List<AddRequest>>argument(0).stream()
                            .allMatch(request -> isExpired(made.get(request.name())));
            return isForgotten ? CompletableFuture.completedFuture(List.of(Result.applied())) : call.pass();
        });
    }

    private static CounterBackend forgettingImports(CounterBackend right, Map<Object, Long> made) {
        return Intercepted.of(right, call -> {
            if (call.method().equals("MigrationStore.importBase")) {
                made.putIfAbsent(call.<String>argument(1), System.nanoTime());
            }
            boolean isForgotten = call.method().equals("MigrationStore.bases")
                    && call.<List<String>>argument(1).stream().anyMatch(name -> isExpired(made.get(name)));
            return isForgotten
                    ? CompletableFuture.completedFuture(call.<List<String>>argument(1).stream()
                            .map(name -> Optional.empty())
                            .toList())
                    : call.pass();
        });
    }

    private static CounterBackend forgettingDecisions(CounterBackend right, Map<Object, Long> made) {
        return Intercepted.of(right, call -> {
            if (call.method().equals("CounterBackend.resolve")) {
                made.putIfAbsent(call.<IdempotencyToken>argument(0), System.nanoTime());
            } else if (call.method().equals("CounterStore.add")) {
                Commit commit = call.argument(1);
                if (commit.isTokenMade() && isExpired(made.get(commit.token()))) {
                    return call.passWith(1, Commits.another(commit));
                }
            }
            return call.pass();
        });
    }

    private static boolean isExpired(@Nullable Long made) {
        return made != null && System.nanoTime() - made > SHORT_RETENTION;
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
