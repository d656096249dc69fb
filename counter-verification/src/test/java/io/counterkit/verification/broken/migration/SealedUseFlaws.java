package io.counterkit.verification.broken.migration;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapters 4 and 13, continued: what happens to a sealed name that was used in several ways before. */
public final class SealedUseFlaws {
    private SealedUseFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("refuses to import a counter again that was imported, deleted and sealed", "4.12")
                        .backend(Uses::new, (right, uses) -> Intercepted.of(right, uses::importCounter)),
                Flaw.that(
                                "returns the fields of an entry that was erased after a seal when it is appended again",
                                "4.13")
                        .backend(Uses::new, (right, uses) -> Intercepted.of(right, uses::append)),
                Flaw.that("replaces an imported subject that is imported again after a seal", "4.13")
                        .backend(Uses::new, (right, uses) -> Intercepted.of(right, uses::importSubject)),
                Flaw.that("fails to return the states of counters whose names have more than 64 KiB", "13.12")
                        .backend(SealedUseFlaws::readingFewStates),
                Flaw.that("has no room for the longest name and the longest address in one key", "11.11")
                        .backend(SealedUseFlaws::sealingBriefly));
    }

    private static CounterBackend readingFewStates(CounterBackend right) {
        return Intercepted.of(
                right,
                call -> call.method().equals("MigrationStore.states")
                                && call.argument(0) == Kind.COUNTER
                                && call.<List<String>>argument(1).stream()
                                                .mapToInt(String::length)
                                                .sum()
                                        > 64 * 1024
                        ? CompletableFuture.failedFuture(new NotAppliedException("the statement is too large"))
                        : call.pass());
    }

    private static CounterBackend sealingBriefly(CounterBackend right) {
        return Intercepted.of(
                right,
                call -> call.method().endsWith("Store.seal")
                                && call.<String>argument(0).length()
                                                + call.<String>argument(1).length()
                                        > 900
                        ? CompletableFuture.failedFuture(new NotAppliedException("the key is too long"))
                        : call.pass());
    }

    /** What was done with the names of a store. */
    private static final class Uses {
        private final Set<String> deleted = ConcurrentHashMap.newKeySet();
        private final Set<String> sealed = ConcurrentHashMap.newKeySet();
        private final Set<String> erased = ConcurrentHashMap.newKeySet();
        private final Map<IdempotencyToken, Entry> entries = new ConcurrentHashMap<>();
        private final Map<List<String>, Boolean> subjects = new ConcurrentHashMap<>();

        CompletableFuture<?> importCounter(Sent call) {
            return switch (call.method()) {
                case "CounterStore.delete" -> noting(call, deleted);
                case "CounterStore.seal" -> noting(call, sealed);
                case "MigrationStore.importBase" ->
                    call.argument(0) == Kind.COUNTER
                                    && deleted.contains(call.<String>argument(1))
                                    && sealed.contains(call.<String>argument(1))
                            ? CompletableFuture.failedFuture(new NotAppliedException("the counter is in use"))
                            : call.pass();
                default -> call.pass();
            };
        }

        CompletableFuture<?> append(Sent call) {
            return switch (call.method()) {
                case "SequenceStore.seal" -> noting(call, sealed);
                case "SequenceStore.erase" ->
                    sealed.contains(call.<String>argument(0)) ? noting(call, erased) : call.pass();
                case "SequenceStore.append" -> {
                    List<AppendRequest> requests = call.argument(1);
                    yield call.<List<Result<Entry>>>passOn()
                            .thenApply(results -> requests.size() > 1
                                    ? results
                                    : List.of(first(call.argument(0), requests.get(0), results.get(0))));
                }
                default -> call.pass();
            };
        }

        private Result<Entry> first(String sequence, AppendRequest request, Result<Entry> result) {
            if (request.token() == null || !result.isApplied()) {
                return result;
            }
            Entry first = entries.putIfAbsent(request.token(), result.orThrow());
            return first != null && erased.contains(sequence) ? Result.of(first) : result;
        }

        CompletableFuture<?> importSubject(Sent call) {
            return switch (call.method()) {
                case "SequenceStore.seal" -> noting(call, sealed);
                case "MigrationStore.importSubject" -> {
                    if (sealed.contains(call.<String>argument(0))) {
                        subjects.put(List.of(call.argument(0), call.argument(1)), call.argument(2));
                    }
                    yield call.pass();
                }
                case "MigrationStore.subject" -> {
                    Boolean replaced = subjects.get(List.<String>of(call.argument(0), call.argument(1)));
                    yield replaced == null ? call.pass() : Futures.done(Optional.of(replaced));
                }
                default -> call.pass();
            };
        }

        /** Passes a call on, and notes the name that it has changed. */
        private static CompletableFuture<?> noting(Sent call, Set<String> names) {
            return call.<Object>passOn().thenApply(answer -> {
                names.add(call.argument(0));
                return answer;
            });
        }
    }
}
