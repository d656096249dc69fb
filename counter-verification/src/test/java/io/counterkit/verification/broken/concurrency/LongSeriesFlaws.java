package io.counterkit.verification.broken.concurrency;

import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterOverflowException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.SealedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Joined;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapter 4, continued: what only a long series of changes shows, and what only some ranges of entries show. */
public final class LongSeriesFlaws {
    private LongSeriesFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("imports a counter again after its second deletion", "4.15")
                        .backend(
                                ConcurrentHashMap<String, Integer>::new,
                                (right, deleted) -> Intercepted.of(right, call -> imports(right, call, deleted))),
                overflowing("CounterStore.delete", "reports a total as out of range that was so before a deletion"),
                overflowing("CounterStore.reset", "reports a total as out of range that was so before a reset"),
                Flaw.that("refuses a repeated add with the seal if the counter was deleted before", "4.12")
                        .backend(right -> Intercepted.of(right, call -> refusesRepeated(right, call))),
                entries(
                        "reads the last entry for a range after it",
                        (right, call, range, last) -> range.from() > last && last > 0
                                ? call.passWith(1, new NumberRange(last, last))
                                : call.pass()),
                entries(
                        "fails to read up to the largest number",
                        (right, call, range, last) ->
                                range.to() + 1 < 0 ? failed("the number after " + range.to()) : call.pass()),
                emptyRanges(),
                repeatedEntries(),
                copies("skips a copy whose first entry is present", entries -> entries.get(0)),
                copies("skips a copy whose last entry is present", entries -> entries.get(entries.size() - 1)),
                Flaw.that("copies the entries before one that is not an imported one", "4.13")
                        .backend(right -> Intercepted.of(right, call -> copiesSome(right, call))));
    }

    private static NameState state(CounterBackend right, String name) {
        return right.migration()
                .states(Kind.COUNTER, List.of(name), Commits.own())
                .join()
                .get(0);
    }

    private static Optional<ImportedState> base(CounterBackend right, Kind kind, String name) {
        return right.migration()
                .bases(kind, List.of(name), Commits.own())
                .join()
                .get(0);
    }

    /** Counts the deletions of imported counters. */
    private static CompletableFuture<?> imports(CounterBackend right, Sent call, Map<String, Integer> deleted) {
        if (call.method().equals("CounterStore.delete")) {
            String name = call.argument(0);
            if (state(right, name).isPresent()
                    && base(right, Kind.COUNTER, name).isPresent()) {
                deleted.merge(name, 1, Integer::sum);
            }
        }
        if (!call.method().equals("MigrationStore.importBase") || call.argument(0) != Kind.COUNTER) {
            return call.pass();
        }
        String name = call.argument(1);
        ImportedState imported = call.argument(2);
        NameState state = state(right, name);
        if (deleted.getOrDefault(name, 0) < 2 || state.isPresent() || state.seal() != null) {
            return call.pass();
        }
        deleted.remove(name);
        return right.counters()
                .add(List.of(new AddRequest(name, imported.value(), null)), Commits.own())
                .thenApply(added -> imported);
    }

    private static Flaw overflowing(String clearing, String does) {
        return Flaw.that(does, "4.12")
                .backend(
                        ConcurrentHashMap<String, Boolean>::new,
                        (right, cleared) -> Intercepted.of(right, call -> {
                            if (call.method().equals(clearing) && isOutOfRange(right, call.argument(0))) {
                                cleared.put(call.argument(0), false);
                            }
                            if (call.method().equals("CounterStore.add")) {
                                call.<List<AddRequest>>argument(0)
                                        .forEach(request -> cleared.replace(request.name(), true));
                            }
                            return call.method().equals("CounterStore.read") ? read(call, cleared) : call.pass();
                        }));
    }

    private static boolean isOutOfRange(CounterBackend right, String name) {
        return right.counters()
                        .read(List.of(name), Duration.ZERO, Commits.own())
                        .join()
                        .get(0)
                        .failure()
                instanceof CounterOverflowException;
    }

    private static CompletableFuture<?> read(Sent call, Map<String, Boolean> cleared) {
        return call.<List<Result<Reading>>>passOn()
                .thenApply(totals -> Joined.of(
                        call.<List<String>>argument(0),
                        totals,
                        (name, total) -> cleared.getOrDefault(name, false)
                                ? Result.failed(new CounterOverflowException("the total of '" + name + "'"))
                                : total));
    }

    private static CompletableFuture<?> refusesRepeated(CounterBackend right, Sent call) {
        if (!call.method().equals("CounterStore.add")) {
            return call.pass();
        }
        return call.<List<Result<Void>>>passOn()
                .thenApply(results -> Joined.of(call.<List<AddRequest>>argument(0), results, (request, result) -> {
                    NameState state = state(right, request.name());
                    return result.isApplied() && state.seal() != null && !state.isPresent()
                            ? Result.failed(new SealedException(request.name(), state.seal()))
                            : result;
                }));
    }

    private interface ReadOfEntries {
        CompletableFuture<?> of(CounterBackend right, Sent call, NumberRange range, long last);
    }

    private static Flaw entries(String does, ReadOfEntries read) {
        return Flaw.that(does, "4.13")
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals("SequenceStore.read")
                                ? read.of(
                                        right,
                                        call,
                                        call.argument(1),
                                        right.sequences()
                                                .tail(call.argument(0), Commits.own())
                                                .join()
                                                .last())
                                : call.pass()));
    }

    private static CompletableFuture<?> failed(String what) {
        return CompletableFuture.failedFuture(new ChangeRefusedException(what));
    }

    private static Flaw emptyRanges() {
        return Flaw.that("remembers in a process that there is no entry in a short range", "4.13")
                .backend(right -> {
                    Set<List<Object>> empty = ConcurrentHashMap.newKeySet();
                    return Intercepted.of(right, call -> {
                        if (!call.method().equals("SequenceStore.read")) {
                            return call.pass();
                        }
                        NumberRange range = call.argument(1);
                        List<Object> key = List.of(call.<String>argument(0), range);
                        if (empty.contains(key)) {
                            return Futures.done(List.of());
                        }
                        return call.<List<Entry>>passOn().thenApply(entries -> {
                            if (entries.isEmpty() && range.size() < 10) {
                                empty.add(key);
                            }
                            return entries;
                        });
                    });
                });
    }

    private static Flaw repeatedEntries() {
        return Flaw.that("remembers in a process the entry of a token, with the fields that were erased", "4.13")
                .backend(right -> {
                    Map<IdempotencyToken, Entry> known = new ConcurrentHashMap<>();
                    return Intercepted.of(
                            right,
                            call -> call.method().equals("SequenceStore.append")
                                    ? call.<List<Result<Entry>>>passOn()
                                            .thenApply(results -> Joined.of(
                                                    call.<List<AppendRequest>>argument(1),
                                                    results,
                                                    (request, result) -> request.token() == null || !result.isApplied()
                                                            ? result
                                                            : Result.of(known.computeIfAbsent(
                                                                    request.token(), first -> result.orThrow()))))
                                    : call.pass());
                });
    }

    private interface Looked {
        Entry of(List<Entry> entries);
    }

    private static Flaw copies(String does, Looked looked) {
        return Flaw.that(does, "4.13")
                .backend(right -> Intercepted.of(right, call -> {
                    if (!call.method().equals("MigrationStore.copy")) {
                        return call.pass();
                    }
                    long number = looked.of(call.argument(1)).number();
                    return right.sequences()
                                    .read(call.argument(0), new NumberRange(number, number), Commits.own())
                                    .join()
                                    .isEmpty()
                            ? call.pass()
                            : CompletableFuture.completedFuture(null);
                }));
    }

    private static CompletableFuture<?> copiesSome(CounterBackend right, Sent call) {
        if (!call.method().equals("MigrationStore.copy")) {
            return call.pass();
        }
        String name = call.argument(0);
        long last = base(right, Kind.SEQUENCE, name).map(ImportedState::last).orElse(0L);
        List<Entry> imported = new ArrayList<>(call.<List<Entry>>argument(1));
        imported.removeIf(entry -> entry.number() > last);
        right.migration().copy(name, imported, Commits.own()).join();
        return call.pass();
    }
}
