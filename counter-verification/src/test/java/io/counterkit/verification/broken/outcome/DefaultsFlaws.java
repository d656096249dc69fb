package io.counterkit.verification.broken.outcome;

import io.counterkit.Entry;
import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Joined;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Chapter 12, continued: what depends on the default locale and the default time zone of the JVM. */
public final class DefaultsFlaws {
    private DefaultsFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("stores totals under keys with the digits of the default locale", "12.9")
                        .batched()
                        .backend(
                                ConcurrentHashMap::<String>newKeySet,
                                (right, keys) -> Intercepted.of(right, call -> byDigits(keys, call))),
                Flaw.that("stores instants as local times", "12.9")
                        .backend(right -> Intercepted.of(right, DefaultsFlaws::inLocalTime)),
                Flaw.that("returns the time of a seal in local time", "12.9")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().equals("MigrationStore.states")
                                        ? call.<List<NameState>>passOn()
                                                .thenApply(states -> states.stream()
                                                        .map(DefaultsFlaws::inLocalTime)
                                                        .toList())
                                        : call.pass())));
    }

    private static CompletableFuture<?> byDigits(Set<String> keys, Sent call) {
        return switch (call.method()) {
            case "CounterStore.add" -> {
                call.<List<AddRequest>>argument(0).forEach(request -> keys.add(key(request.name())));
                yield call.pass();
            }
            case "CounterStore.read" ->
                call.<List<Result<Reading>>>passOn()
                        .thenApply(totals -> Joined.of(
                                call.<List<String>>argument(0),
                                totals,
                                (name, total) ->
                                        keys.contains(key(name)) || !total.isApplied() ? total : absent(total)));
            default -> call.pass();
        };
    }

    /** Returns the key of the only part of a total. */
    private static String key(String name) {
        return String.format(Locale.getDefault(), "%s#%03d", name, 1);
    }

    private static Result<Reading> absent(Result<Reading> total) {
        Reading reading = total.orThrow();
        return Result.of(new Reading(0, reading.asOf(), reading.staleness()));
    }

    private static CompletableFuture<?> inLocalTime(Sent call) {
        return switch (call.method()) {
            case "SequenceStore.append" ->
                call.<List<Result<Entry>>>passWith(
                                1,
                                call.<List<AppendRequest>>argument(1).stream()
                                        .map(DefaultsFlaws::inLocalTime)
                                        .toList())
                        .thenApply(results -> results.stream()
                                .map(result -> result.isApplied() ? Result.of(read(result.orThrow())) : result)
                                .toList());
            case "SequenceStore.read" ->
                call.<List<Entry>>passOn()
                        .thenApply(entries ->
                                entries.stream().map(DefaultsFlaws::read).toList());
            default -> call.pass();
        };
    }

    private static AppendRequest inLocalTime(AppendRequest request) {
        return new AppendRequest(
                request.change(),
                request.subject(),
                withInstants(
                        request.fields(),
                        instant -> LocalDateTime.ofInstant(instant, ZoneId.systemDefault())
                                .toInstant(ZoneOffset.UTC)),
                request.token());
    }

    private static Entry read(Entry entry) {
        return new Entry(
                entry.number(),
                entry.appendedAt(),
                entry.change(),
                entry.subject(),
                withInstants(
                        entry.fields(),
                        instant -> LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
                                .atZone(ZoneId.systemDefault())
                                .toInstant()),
                entry.liveCount(),
                entry.erased());
    }

    private static Map<String, Object> withInstants(Map<String, Object> fields, UnaryOperator<Instant> change) {
        Map<String, Object> changed = new HashMap<>(fields);
        changed.replaceAll((name, value) -> value instanceof Instant instant ? change.apply(instant) : value);
        return changed;
    }

    private static NameState inLocalTime(NameState state) {
        Instant at = state.sealedAt();
        return at == null
                ? state
                : new NameState(
                        state.isPresent(),
                        state.seal(),
                        LocalDateTime.ofInstant(at, ZoneId.systemDefault()).toInstant(ZoneOffset.UTC));
    }
}
