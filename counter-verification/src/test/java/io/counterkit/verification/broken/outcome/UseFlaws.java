package io.counterkit.verification.broken.outcome;

import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chapter 7, resources, continued: what an operation keeps if it succeeds, and what it does to its caller's interrupt.
 */
public final class UseFlaws {
    /** How many connections, statements or cursors a process has. */
    private static final int LIMIT = 200;

    /** How many permits for calls that nothing waits for. */
    private static final int FEW = 12;

    private UseFlaws() {}

    public static List<Flaw> all() {
        Map<String, String> operations = new LinkedHashMap<>();
        operations.put("SequenceStore.names", "list of sequences");
        operations.put("CounterStore.names", "list of counters");
        operations.put("CounterStore.read", "read of totals");
        operations.put("CounterStore.top", "list of the largest counters");
        operations.put("CounterStore.reset", "reset");
        operations.put("CounterStore.delete", "deletion");
        operations.put("CounterStore.seal", "seal of a counter");
        operations.put("SequenceStore.tail", "read of a tail");
        operations.put("SequenceStore.read", "read of entries");
        operations.put("SequenceStore.append", "append");
        operations.put("SequenceStore.erase", "erasure");
        operations.put("SequenceStore.seal", "seal of a sequence");
        operations.put("CounterBackend.resolve", "resolution");
        operations.put("MigrationStore.states", "read of states");
        operations.put("MigrationStore.bases", "read of imported states");
        operations.put("MigrationStore.subject", "read of a subject");
        operations.put("MigrationStore.importBase", "import");
        operations.put("MigrationStore.importSubject", "import of a subject");
        operations.put("MigrationStore.copy", "copy");
        operations.put("MigrationStore.lateAdds", "report of late adds");
        Stream<Flaw> keeping = operations.entrySet().stream()
                .map(each -> Flaw.that("keeps a statement for each " + each.getValue(), "7.22")
                        .backend(right -> keeping(right, each.getKey()::equals)));
        Stream<Flaw> clearing = operations.entrySet().stream()
                .map(each -> Flaw.that("clears a pending interrupt at each " + each.getValue(), "7.23")
                        .backend(right -> clearing(right, each.getKey()::equals)));
        Stream<Flaw> waiting = Stream.of(Flaw.that("keeps a permit for each call that its caller has left", "7.22")
                .backend(UseFlaws::keepingAfterTheDeadline));
        Stream<Flaw> refused = Stream.concat(
                Stream.of(
                        Flaw.that("keeps a connection for each read of a total out of range", "7.19")
                                .backend(right -> keepingOverflows(right, "CounterStore.read")),
                        Flaw.that("keeps a connection for each failed list of the largest counters", "7.19")
                                .backend(right -> keepingOverflows(right, "CounterStore.top"))),
                Stream.of(
                                "CounterStore.add",
                                "CounterStore.reset",
                                "CounterStore.delete",
                                "CounterStore.seal",
                                "SequenceStore.append",
                                "SequenceStore.erase",
                                "SequenceStore.seal")
                        .map(method -> Flaw.that(
                                        "keeps a connection for each "
                                                + operations.getOrDefault(method, "add")
                                                + " whose commit was resolved before",
                                        "7.19")
                                .backend(
                                        ConcurrentHashMap::<IdempotencyToken>newKeySet,
                                        (right, resolved) -> keepingResolved(right, resolved, method))));
        Stream<Flaw> needless = Stream.of("CounterStore.reset", "CounterStore.delete")
                .map(method -> Flaw.that(
                                "keeps a statement for each " + operations.get(method) + " of an unused counter",
                                "7.22")
                        .backend(
                                ConcurrentHashMap::<String>newKeySet,
                                (right, used) -> keepingUnused(right, used, method)));
        return Stream.of(keeping, waiting, refused, needless, clearing)
                .flatMap(each -> each)
                .toList();
    }

    private static CounterBackend keeping(CounterBackend right, Predicate<String> isKeeping) {
        AtomicInteger kept = new AtomicInteger();
        return Intercepted.of(
                right,
                call -> isKeeping.test(call.method()) && kept.incrementAndGet() > LIMIT ? exhausted() : call.pass());
    }

    private interface Condition {
        boolean isMet(Sent sent, @Nullable Object answer, @Nullable Throwable failure);
    }

    /** Keeps something for each call that met a condition when it ended. */
    private static CounterBackend keepingIf(CounterBackend right, Condition condition) {
        AtomicInteger kept = new AtomicInteger();
        return Intercepted.of(
                right,
                sent -> kept.get() > FEW
                        ? exhausted()
                        : sent.pass().whenComplete((answer, failure) -> {
                            if (condition.isMet(sent, answer, failure)) {
                                kept.incrementAndGet();
                            }
                        }));
    }

    private static CounterBackend keepingAfterTheDeadline(CounterBackend right) {
        return keepingIf(
                right, (sent, answer, failure) -> sent.<Call>last().remaining().isNegative());
    }

    private static CounterBackend keepingOverflows(CounterBackend right, String method) {
        return keepingIf(
                right,
                (sent, answer, failure) -> sent.method().equals(method)
                        && (failure == null
                                ? answer instanceof List<?> results
                                        && results.stream().anyMatch(UseFlaws::isOverflow)
                                : Futures.unwrap(failure) instanceof CounterOverflowException));
    }

    private static boolean isOverflow(Object answer) {
        return answer instanceof Result<?> result && result.failure() instanceof CounterOverflowException;
    }

    private static CounterBackend keepingResolved(CounterBackend right, Set<IdempotencyToken> resolved, String method) {
        return keepingIf(right, (sent, answer, failure) -> {
            if (sent.method().equals("CounterBackend.resolve")) {
                resolved.add(sent.argument(0));
            }
            return sent.method().equals(method)
                    && sent.<Commit>last().isTokenMade()
                    && resolved.contains(sent.<Commit>last().token());
        });
    }

    private static CounterBackend keepingUnused(CounterBackend right, Set<String> used, String method) {
        return keepingIf(right, (sent, answer, failure) -> {
            if (sent.method().equals("CounterStore.add")) {
                sent.<List<AddRequest>>argument(0).forEach(request -> used.add(request.name()));
            }
            return sent.method().equals(method) && !used.contains(sent.<String>argument(0));
        });
    }

    private static CompletableFuture<?> exhausted() {
        return CompletableFuture.failedFuture(new NotAppliedException("no statement or connection is free"));
    }

    private static CounterBackend clearing(CounterBackend right, Predicate<String> isClearing) {
        return Intercepted.of(right, call -> {
            if (isClearing.test(call.method())) {
                Thread.interrupted();
            }
            return call.pass();
        });
    }
}
