package io.counterkit.verification.broken.reading;

import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Chapters 3 and 7, continued: reads of each kind that return the answer of an earlier one. */
public final class EarlierAnswerFlaws {
    /** Every read, with what it returns. */
    private static final Map<String, String> READS = Map.of(
            "CounterStore.read", "totals",
            "CounterStore.names", "lists of counters",
            "CounterStore.top", "lists of the largest counters",
            "SequenceStore.tail", "tails",
            "SequenceStore.read", "entries",
            "SequenceStore.names", "lists of sequences",
            "MigrationStore.states", "states",
            "MigrationStore.subject", "subjects",
            "MigrationStore.bases", "imported states");

    /** The reads that 3.20 finds. */
    private static final List<String> FOUND_BEFORE =
            List.of("CounterStore.read", "SequenceStore.tail", "SequenceStore.read");

    private EarlierAnswerFlaws() {}

    public static List<Flaw> all() {
        Stream<Flaw> shared = reads().filter(method -> !FOUND_BEFORE.contains(method))
                .map(method -> Flaw.that("shares the answer of equal calls under way, of " + READS.get(method), "3.23")
                        .backend(right -> {
                            Map<List<Object>, CompletableFuture<Object>> underWay = new ConcurrentHashMap<>();
                            return Intercepted.of(
                                    right, call -> call.method().equals(method) ? shared(call, underWay) : call.pass());
                        }));
        Stream<Flaw> last = reads().map(method -> remembering(
                "returns the last answer if the store does not answer, of " + READS.get(method),
                call -> call.method().equals(method)));
        Flaw bounded = remembering(
                "returns the last total, however old, if the store does not answer a read with a bound",
                call -> call.method().equals("CounterStore.read")
                        && !call.<Duration>argument(1).isZero());
        return Stream.of(shared, last, Stream.of(bounded)).flatMap(all -> all).toList();
    }

    private static Stream<String> reads() {
        return READS.keySet().stream().sorted();
    }

    /** Returns the arguments without the deadline. */
    private static List<Object> key(Sent call) {
        return call.arguments().subList(0, call.arguments().size() - 1).stream()
                .map(argument -> (Object) Objects.toString(argument))
                .toList();
    }

    /** Returns the answer of an equal call that has begun and not ended, whose way back takes a moment. */
    private static CompletableFuture<?> shared(Sent call, Map<List<Object>, CompletableFuture<Object>> underWay) {
        CompletableFuture<Object> mine = new CompletableFuture<>();
        CompletableFuture<Object> other = underWay.putIfAbsent(key(call), mine);
        if (other != null) {
            return other.copy();
        }
        return call.<Object>passOn().whenComplete((answer, failure) -> {
            LockSupport.parkNanos(20_000);
            underWay.remove(key(call));
            if (failure == null) {
                mine.complete(answer);
            } else {
                mine.completeExceptionally(failure);
            }
        });
    }

    /** Returns a flaw that remembers the answers of these calls in each process. */
    private static Flaw remembering(String does, Predicate<Sent> calls) {
        return Flaw.that(does, "7.24").backend(right -> {
            Map<List<Object>, Object> answers = new ConcurrentHashMap<>();
            return Intercepted.of(right, call -> calls.test(call) ? orLast(call, answers) : call.pass());
        });
    }

    private static CompletableFuture<?> orLast(Sent call, Map<List<Object>, Object> answers) {
        return call.<Object>passOn()
                .whenComplete((answer, failure) -> {
                    if (failure == null) {
                        answers.put(key(call), answer);
                    }
                })
                .exceptionallyCompose(failure -> {
                    Object last = answers.get(key(call));
                    return last == null ? CompletableFuture.failedFuture(failure) : Futures.done(last);
                });
    }
}
