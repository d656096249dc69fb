package io.counterkit.verification.broken.concurrency;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Chapter 4, continued: changes that read first, and are stored if the version is the same then. The version starts
 * again with each deletion, or is a number that returns.
 */
public final class LookAlikeFlaws {
    private LookAlikeFlaws() {}

    public static List<Flaw> all() {
        return Stream.concat(changes().stream(), InterleavedFlaws.all().stream())
                .toList();
    }

    private static List<Flaw> changes() {
        return List.of(
                Flaw.that("subtracts in a reset the total of a counter that was deleted since", "4.15")
                        .backend(
                                Versions::new,
                                (right, versions) -> Intercepted.of(
                                        right,
                                        call -> call.method().equals("CounterStore.reset")
                                                ? versions.reset(right, call)
                                                : versions.counting(call))),
                Flaw.that("looks for a token before it knows that a counter is as it was", "4.15")
                        .backend(
                                Versions::new,
                                (right, versions) -> Intercepted.of(
                                        right,
                                        call -> isAddWithToken(call)
                                                ? versions.add(right, call)
                                                : versions.counting(call))),
                Flaw.that("returns with a seal the total of a counter that was deleted since", "4.15")
                        .backend(
                                Versions::new,
                                (right, versions) -> Intercepted.of(
                                        right,
                                        call -> call.method().equals("CounterStore.seal")
                                                ? versions.seal(right, call)
                                                : versions.counting(call))),
                Flaw.that("removes a subject that was live at the same live count", "4.16")
                        .backend(right ->
                                Intercepted.of(right, call -> isRemoval(call) ? remove(right, call) : call.pass())),
                Flaw.that("refuses an addition for a subject that was imported after a seal", "4.16")
                        .backend(right ->
                                Intercepted.of(right, call -> isAddition(call) ? add(right, call) : call.pass())));
    }

    private static boolean isAddWithToken(Sent call) {
        return call.method().equals("CounterStore.add")
                && call.<List<AddRequest>>argument(0).stream().allMatch(request -> request.token() != null);
    }

    private static boolean isAddition(Sent call) {
        return call.method().equals("SequenceStore.append")
                && call.<List<AppendRequest>>argument(1).get(0).change() == Change.ADDED
                && call.<List<AppendRequest>>argument(1).get(0).subject() != null;
    }

    /** Looks for a seal, and then for the subject. Refuses the addition if that is live, whatever came in between. */
    private static CompletableFuture<Object> add(CounterBackend right, Sent call) {
        String name = call.argument(0);
        String subject = call.<List<AppendRequest>>argument(1).get(0).subject();
        return tail(right, name)
                .thenCompose(tail -> right.migration()
                        .subject(name, subject, Commits.own())
                        .thenCompose(live -> tail.seal() == null && live.orElse(false)
                                ? CompletableFuture.completedFuture(List.of(
                                        Result.failed(new ChangeRefusedException("'" + subject + "' is live already"))))
                                : call.passOn()));
    }

    private static boolean isRemoval(Sent call) {
        return call.method().equals("SequenceStore.append")
                && call.<List<AppendRequest>>argument(1).get(0).change() == Change.REMOVED;
    }

    /**
     * Removes a live subject if the live count is still the same. Invents the entry if the subject is not live then.
     */
    private static CompletableFuture<Object> remove(CounterBackend right, Sent call) {
        String name = call.argument(0);
        AppendRequest request = call.<List<AppendRequest>>argument(1).get(0);
        if (!right.migration()
                .subject(name, request.subject(), Commits.own())
                .join()
                .orElse(false)) {
            return call.passOn();
        }
        long before = tail(right, name).join().liveCount();
        return tail(right, name)
                .thenCompose(tail -> tail.liveCount() != before
                        ? remove(right, call)
                        : call.<List<Result<Entry>>>passOn().thenApply(results -> (Object)
                                (results.get(0).isApplied() || tail.seal() != null
                                        ? results
                                        : List.of(Result.of(new Entry(
                                                tail.last() + 1,
                                                Instant.EPOCH,
                                                Change.REMOVED,
                                                request.subject(),
                                                request.fields(),
                                                before - 1,
                                                false))))));
    }

    private static CompletableFuture<Tail> tail(CounterBackend right, String name) {
        return right.sequences().tail(name, Commits.own());
    }

    /** The version of each counter. Only present counters have one. */
    private static final class Versions {
        private final Map<String, Integer> versions = new ConcurrentHashMap<>();
        private final Set<IdempotencyToken> tokens = ConcurrentHashMap.newKeySet();

        int of(String name) {
            return versions.getOrDefault(name, 0);
        }

        /** Passes a call on, and then counts its changes. */
        CompletableFuture<Object> counting(Sent call) {
            return call.<Object>passOn().thenApply(answer -> {
                switch (call.method()) {
                    case "CounterStore.add" ->
                        call.<List<AddRequest>>argument(0)
                                .forEach(request -> versions.merge(request.name(), 1, Integer::sum));
                    case "CounterStore.reset" -> versions.merge(call.argument(0), 1, Integer::sum);
                    case "CounterStore.delete" -> versions.remove(call.<String>argument(0));
                    default -> {}
                }
                return answer;
            });
        }

        CompletableFuture<Object> reset(CounterBackend right, Sent call) {
            String name = call.argument(0);
            int version = of(name);
            return total(right, name)
                    .thenCompose(total -> total(right, name).thenCompose(now -> {
                        if (of(name) != version) {
                            return reset(right, call);
                        }
                        return total.orThrow().value() == 0 || !isOpen(right, name)
                                ? counting(call)
                                : right.counters()
                                        .add(
                                                List.of(new AddRequest(
                                                        name, -total.orThrow().value(), null)),
                                                Commits.own())
                                        .thenApply(added -> (Object) added);
                    }));
        }

        CompletableFuture<Object> add(CounterBackend right, Sent call) {
            AddRequest request = call.<List<AddRequest>>argument(0).get(0);
            int version = of(request.name());
            boolean isKnown = tokens.contains(request.token());
            return total(right, request.name()).thenCompose(now -> {
                if (of(request.name()) != version) {
                    return add(right, call);
                }
                if (!isKnown && tokens.contains(request.token())) {
                    return right.counters()
                            .add(List.of(new AddRequest(request.name(), request.delta(), null)), Commits.own())
                            .thenApply(added -> (Object) added);
                }
                return counting(call).thenApply(results -> {
                    if (((List<?>) results).get(0) instanceof Result<?> result && result.isApplied()) {
                        tokens.add(request.token());
                    }
                    return results;
                });
            });
        }

        CompletableFuture<Object> seal(CounterBackend right, Sent call) {
            String name = call.argument(0);
            int version = of(name);
            return total(right, name)
                    .thenCompose(total -> total(right, name).thenCompose(now -> {
                        if (of(name) != version) {
                            return seal(right, call);
                        }
                        return isOpen(right, name) && total.isApplied()
                                ? call.<Seal>passOn().thenApply(seal -> (Object) new Seal(
                                        seal.forward(),
                                        total.orThrow().value(),
                                        total.orThrow().value()))
                                : call.passOn();
                    }));
        }

        /** Returns whether a counter is present and not sealed. */
        private static boolean isOpen(CounterBackend right, String name) {
            NameState state = right.migration()
                    .states(Kind.COUNTER, List.of(name), Commits.own())
                    .join()
                    .get(0);
            return state.isPresent() && state.seal() == null;
        }

        private static CompletableFuture<Result<Reading>> total(CounterBackend right, String name) {
            return right.counters()
                    .read(List.of(name), Duration.ZERO, Commits.own())
                    .thenApply(totals -> totals.get(0));
        }
    }
}
