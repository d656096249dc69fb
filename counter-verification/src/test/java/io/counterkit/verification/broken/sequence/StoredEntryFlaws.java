package io.counterkit.verification.broken.sequence;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Joined;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Chapter 10, continued: what is stored of some entries only. */
final class StoredEntryFlaws {
    private StoredEntryFlaws() {}

    static List<Flaw> all() {
        return List.of(
                inAnotherZone("a batch", requests -> requests.size() > 1),
                inAnotherZone(
                        "an entry with a subject", requests -> requests.get(0).subject() != null),
                inAnotherZone(
                        "an entry with a token", requests -> requests.get(0).token() != null),
                Flaw.that("takes the time of entries when a process connects", "10.22")
                        .batched()
                        .backend(ConcurrentHashMap<List<Object>, Instant>::new, (right, times) -> {
                            Instant connected = Instant.now().truncatedTo(ChronoUnit.MILLIS);
                            return timed(right, times, requests -> true, time -> connected);
                        }),
                Flaw.that("stores with an update the fields of the last entry of its subject", "4.13", "10.10")
                        .backend(
                                ConcurrentHashMap<List<Object>, Map<String, Object>>::new,
                                (right, last) -> Intercepted.of(right, call -> merged(call, last))));
    }

    private static Flaw inAnotherZone(String of, Predicate<List<AppendRequest>> which) {
        return Flaw.that("stores the time of " + of + " in another zone", "10.22")
                .batched()
                .backend(
                        ConcurrentHashMap<List<Object>, Instant>::new,
                        (right, times) -> timed(right, times, which, time -> time.plus(Duration.ofHours(1))));
    }

    /** Returns a backend that keeps the times of entries itself, some of them wrong. */
    private static CounterBackend timed(
            CounterBackend right,
            Map<List<Object>, Instant> times,
            Predicate<List<AppendRequest>> which,
            UnaryOperator<Instant> wrong) {
        return Intercepted.of(right, call -> switch (call.method()) {
            case "SequenceStore.append" -> {
                boolean isWrong = which.test(call.argument(1));
                yield call.<List<Result<Entry>>>passOn()
                        .thenApply(results -> results.stream()
                                .map(result -> result.isApplied()
                                        ? Result.of(timed(call, result.orThrow(), times, isWrong, wrong))
                                        : result)
                                .toList());
            }
            case "SequenceStore.read" ->
                call.<List<Entry>>passOn()
                        .thenApply(entries -> entries.stream()
                                .map(entry -> timed(call, entry, times, false, wrong))
                                .toList());
            default -> call.pass();
        });
    }

    private static Entry timed(
            Sent call, Entry entry, Map<List<Object>, Instant> times, boolean isWrong, UnaryOperator<Instant> wrong) {
        Instant time = times.computeIfAbsent(
                List.of(call.argument(0), entry.number()),
                stored -> isWrong ? wrong.apply(entry.appendedAt()) : entry.appendedAt());
        return new Entry(
                entry.number(),
                time,
                entry.change(),
                entry.subject(),
                entry.fields(),
                entry.liveCount(),
                entry.erased());
    }

    private static CompletableFuture<?> merged(Sent call, Map<List<Object>, Map<String, Object>> last) {
        if (!call.method().equals("SequenceStore.append")) {
            return call.pass();
        }
        String sequence = call.argument(0);
        List<AppendRequest> merged = call.<List<AppendRequest>>argument(1).stream()
                .map(request -> merged(sequence, request, last))
                .toList();
        return call.<List<Result<Entry>>>passWith(1, merged)
                .thenApply(results -> Joined.of(merged, results, (request, result) -> {
                    if (result.isApplied() && request.subject() != null) {
                        last.put(List.of(sequence, request.subject()), request.fields());
                    }
                    return result;
                }));
    }

    private static AppendRequest merged(
            String sequence, AppendRequest request, Map<List<Object>, Map<String, Object>> last) {
        if (request.subject() == null || request.change() == Change.ADDED) {
            return request;
        }
        Map<String, Object> fields =
                new HashMap<>(last.getOrDefault(List.<Object>of(sequence, request.subject()), Map.of()));
        fields.putAll(request.fields());
        return new AppendRequest(request.change(), request.subject(), fields, request.token());
    }
}
