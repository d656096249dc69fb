package io.counterkit.verification.broken.counter;

import io.counterkit.IdempotencyToken;
import io.counterkit.SealedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Joined;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapter 2, continued: batches of adds that do not know what has happened to a counter before. Single adds do. */
public final class BatchStateFlaws {
    private BatchStateFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                losing("loses adds in a batch to an imported counter", "MigrationStore.importBase", 1),
                losing("loses adds in a batch to a counter that was deleted before", "CounterStore.delete", 0),
                Flaw.that("makes a deleted counter present when a token is repeated in a batch", "4.12")
                        .batched()
                        .backend(ConcurrentHashMap::<IdempotencyToken>newKeySet, BatchStateFlaws::addingZero),
                Flaw.that("refuses a repeated add in a batch with the seal", "4.12")
                        .batched()
                        .backend(right ->
                                Intercepted.of(right, call -> isBatch(call) ? refused(call, right) : call.pass())));
    }

    private static boolean isBatch(Sent call) {
        return call.method().equals("CounterStore.add")
                && call.<List<?>>argument(0).size() > 1;
    }

    /** Returns a flaw that adds 0 in batches to the counters of an earlier change. */
    private static Flaw losing(String does, String change, int place) {
        return Flaw.that(does, "4.12").batched().backend(ConcurrentHashMap::<String>newKeySet, (right, changed) -> {
            return Intercepted.of(right, call -> {
                if (call.method().equals(change)) {
                    changed.add(call.argument(place));
                }
                return isBatch(call)
                        ? call.passWith(
                                0,
                                call.<List<AddRequest>>argument(0).stream()
                                        .map(add -> changed.contains(add.name())
                                                ? new AddRequest(add.name(), 0, add.token())
                                                : add)
                                        .toList())
                        : call.pass();
            });
        });
    }

    /** Adds 0 to the counter of each request of a batch whose token was used. */
    private static CounterBackend addingZero(CounterBackend right, Set<IdempotencyToken> used) {
        return Intercepted.of(right, call -> {
            if (!call.method().equals("CounterStore.add")) {
                return call.pass();
            }
            List<AddRequest> requests = call.argument(0);
            boolean isBatch = isBatch(call);
            return call.<List<Result<Void>>>passOn().thenCompose(results -> {
                CompletableFuture<?> last = CompletableFuture.completedFuture(true);
                for (int i = 0; i < requests.size(); i++) {
                    AddRequest add = requests.get(i);
                    if (add.token() != null && results.get(i).isApplied() && !used.add(add.token()) && isBatch) {
                        AddRequest nothing = new AddRequest(add.name(), 0, null);
                        last = last.thenCompose(added -> right.counters().add(List.of(nothing), Commits.own()));
                    }
                }
                return last.thenApply(added -> results);
            });
        });
    }

    /** Replaces the results of adds with tokens to sealed counters. */
    private static CompletableFuture<?> refused(Sent call, CounterBackend right) {
        List<AddRequest> requests = call.argument(0);
        List<String> names = requests.stream().map(AddRequest::name).toList();
        return call.<List<Result<Void>>>passOn()
                .thenCompose(results -> right.migration()
                        .states(Kind.COUNTER, names, Commits.own())
                        .thenApply(states -> Joined.of(
                                Joined.of(requests, states, BatchStateFlaws::refusal),
                                results,
                                (refusal, result) ->
                                        result.isApplied() && refusal.failure() != null ? refusal : result)));
    }

    private static Result<Void> refusal(AddRequest add, NameState state) {
        return add.token() == null || state.seal() == null
                ? Result.applied()
                : Result.failed(new SealedException(add.name(), Objects.requireNonNull(state.seal())));
    }
}
