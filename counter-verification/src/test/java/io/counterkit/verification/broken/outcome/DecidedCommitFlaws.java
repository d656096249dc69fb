package io.counterkit.verification.broken.outcome;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Chapters 2, 5 and 7, continued: what the resolution of a commit decides, and the token of a commit with a mark. */
final class DecidedCommitFlaws {
    private DecidedCommitFlaws() {}

    static List<Flaw> all() {
        return List.of(
                Flaw.that("resolves a commit as not applied although it failed to store that", "5.21")
                        .backend(ConcurrentHashMap::newKeySet, DecidedCommitFlaws::ignoringFailures),
                Flaw.that("looks for a commit, and then writes over it that it was not applied", "5.27")
                        .backend(ConcurrentHashMap::newKeySet, DecidedCommitFlaws::overwriting),
                decidingFor(
                        "checks the decision about a commit at its first counter only",
                        "2.10",
                        "CounterStore.add",
                        DecidedCommitFlaws::firstCounter),
                decidingFor(
                        "checks the decision about a commit at its first append only",
                        "7.18",
                        "SequenceStore.append",
                        DecidedCommitFlaws::firstAppend),
                Flaw.that("marks its commits with so much that a long name leaves no room for the token", "7.11")
                        .backend(right -> Intercepted.of(right, call -> {
                            if (call.method().equals("CounterStore.add")) {
                                boolean unused = call.<Commit>last().tryMark("x".repeat(100));
                            }
                            return call.pass();
                        })));
    }

    /** Finds the commits that were sent, and does not notice that storing its decision about others failed. */
    private static CounterBackend ignoringFailures(CounterBackend right, Set<Object> sent) {
        return Intercepted.of(right, call -> {
            if (call.last() instanceof Commit commit && !call.method().endsWith("resolve")) {
                sent.add(commit.token());
            }
            return isOfCommit(call) && !sent.contains(call.argument(0))
                    ? call.passOn().exceptionally(failure -> new Resolution.NotApplied())
                    : call.pass();
        });
    }

    private static CounterBackend overwriting(CounterBackend right, Set<Object> answered) {
        return Intercepted.of(right, call -> {
            if (isOfCommit(call)) {
                boolean isFound = answered.contains(call.argument(0));
                return isFound ? call.pass() : call.pass().thenApply(resolution -> new Resolution.NotApplied());
            }
            if (call.last() instanceof Commit commit && !call.method().endsWith("resolve")) {
                IdempotencyToken token = commit.token();
                return call.pass().whenComplete((answer, failure) -> answered.add(token));
            }
            return call.pass();
        });
    }

    private static boolean isOfCommit(Sent call) {
        return call.method().equals("CounterBackend.resolve") && call.argument(1) != null;
    }

    /** Applies a commit unless it was resolved for the part that is checked. */
    private static Flaw decidingFor(
            String does, String rule, String change, Function<List<?>, @Nullable Object> checked) {
        return Flaw.that(does, rule)
                .batched()
                .backend(
                        ConcurrentHashMap<Object, Set<Object>>::new,
                        (right, resolved) -> Intercepted.of(right, call -> {
                            if (isOfCommit(call)) {
                                ChangeTarget target = call.argument(1);
                                of(resolved, call.argument(0))
                                        .add(target.isAppend() ? target.request() : target.name());
                            }
                            if (!call.method().equals(change)) {
                                return call.pass();
                            }
                            int place = call.arguments().size() - 1;
                            Commit commit = call.argument(place);
                            Object part = checked.apply(call.argument(place - 1));
                            Set<Object> parts = of(resolved, commit.token());
                            return part == null || parts.isEmpty() || parts.contains(part)
                                    ? call.pass()
                                    : call.passWith(place, Commits.another(commit));
                        }));
    }

    private static Set<Object> of(Map<Object, Set<Object>> resolved, Object token) {
        return resolved.computeIfAbsent(token, none -> ConcurrentHashMap.newKeySet());
    }

    private static @Nullable Object firstCounter(List<?> adds) {
        return adds.stream()
                .map(AddRequest.class::cast)
                .filter(add -> add.token() == null)
                .map(AddRequest::name)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Object firstAppend(List<?> appends) {
        return IntStream.range(0, appends.size())
                .filter(i -> ((AppendRequest) appends.get(i)).token() == null)
                .boxed()
                .findFirst()
                .orElse(null);
    }
}
