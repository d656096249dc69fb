package io.counterkit.verification.broken.size;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Chapter 7, continued: operations that are split into several calls, of which a later one may fail. */
public final class SplitFlaws {
    /** The names, entries or requests of one call. */
    private static final int PART = 40;

    /** The requests of one call of a store that takes more. */
    private static final int LARGE_PART = 500;

    private static final BatchLimits LARGE = BatchLimits.ofWeight(200);
    private static final BatchLimits VERY_LARGE = BatchLimits.ofWeight(1_000);

    private SplitFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("ends a list if a further page fails", "7.21")
                        .backend(right -> Intercepted.of(
                                right, call -> call.method().endsWith(".names") ? pages(call) : call.pass())),
                split(
                        "reads 0 for the counters of a part that fails",
                        "CounterStore.read",
                        0,
                        names -> Collections.nCopies(names, Result.of(new Reading(0, Instant.now(), Duration.ZERO)))),
                split(
                        "reports the names of a part that fails as absent",
                        "MigrationStore.states",
                        1,
                        names -> Collections.nCopies(names, new NameState(false, null, null))),
                Flaw.that("omits the entries of a part that fails", "7.21")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().equals("SequenceStore.read") ? ranges(call) : call.pass())),
                Flaw.that("ignores that a part of a copy has failed", "7.21")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().equals("MigrationStore.copy") ? copies(call) : call.pass())),
                adds("reports the failure of a part of many adds for all of them", LARGE, PART),
                appends("reports the failure of a part of many appends for all of them", LARGE, PART),
                adds("reports the failure of 500 adds of a batch for all of them", VERY_LARGE, LARGE_PART),
                appends("reports the failure of 500 appends of a batch for all of them", VERY_LARGE, LARGE_PART));
    }

    private static Flaw adds(String does, BatchLimits limits, int part) {
        return Flaw.that(does, "7.21")
                .batched(limits)
                .backend(right -> Intercepted.of(
                        right, call -> call.method().equals("CounterStore.add") ? adds(call, part) : call.pass()));
    }

    private static Flaw appends(String does, BatchLimits limits, int part) {
        return Flaw.that(does, "7.21")
                .batched(limits)
                .backend(right -> Intercepted.of(
                        right,
                        call -> call.method().equals("SequenceStore.append") ? appends(call, part) : call.pass()));
    }

    /** Returns a flaw that splits a list of arguments, and has this answer for a further part that fails. */
    private static <R> Flaw split(String does, String method, int place, Function<Integer, List<R>> instead) {
        return Flaw.that(does, "7.21")
                .backend(right -> Intercepted.of(right, call -> {
                    if (!call.method().equals(method)) {
                        return call.pass();
                    }
                    CompletableFuture<List<R>> answer = Futures.done(List.of());
                    List<List<Object>> parts = parts(call.argument(place), PART);
                    for (List<Object> part : parts) {
                        CompletableFuture<List<R>> next = call.passWith(place, part);
                        answer = joined(
                                answer,
                                part == parts.get(0)
                                        ? next
                                        : next.exceptionally(failure -> instead.apply(part.size())));
                    }
                    return answer;
                }));
    }

    private static <T> List<List<T>> parts(List<T> all, int part) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += part) {
            parts.add(all.subList(from, Math.min(from + part, all.size())));
        }
        return parts;
    }

    private static <T> CompletableFuture<List<T>> joined(
            CompletableFuture<List<T>> first, CompletableFuture<List<T>> second) {
        return first.thenCombine(second, (some, more) -> {
            List<T> all = new ArrayList<>(some);
            all.addAll(more);
            return all;
        });
    }

    private static CompletableFuture<NamePage> pages(Sent call) {
        return page(call, call.argument(1), call.argument(2), List.of());
    }

    private static CompletableFuture<NamePage> page(
            Sent call, @Nullable String cursor, int limit, List<String> before) {
        Object[] arguments = call.arguments().toArray();
        arguments[1] = cursor;
        CompletableFuture<NamePage> next = new Sent(call.method(), Arrays.asList(arguments), call.next())
                .passWith(2, Math.min(PART, limit - before.size()));
        return (before.isEmpty() ? next : next.exceptionally(failure -> new NamePage(List.of(), null)))
                .thenCompose(found -> {
                    List<String> names = new ArrayList<>(before);
                    names.addAll(found.names());
                    return found.next() == null || names.size() >= limit
                            ? Futures.done(new NamePage(names, found.next()))
                            : page(call, found.next(), limit, names);
                });
    }

    private static CompletableFuture<List<Entry>> ranges(Sent call) {
        NumberRange range = call.argument(1);
        CompletableFuture<List<Entry>> answer = Futures.done(List.of());
        for (NumberRange part : range.partition((int) Math.min(30, 1 + range.size() / PART))) {
            CompletableFuture<List<Entry>> next = call.passWith(1, part);
            answer = joined(answer, part.from() == range.from() ? next : next.exceptionally(failure -> List.of()));
        }
        return answer;
    }

    private static CompletableFuture<Void> copies(Sent call) {
        List<Entry> entries = call.argument(1);
        if (entries.isEmpty()) {
            return call.passOn();
        }
        List<List<Entry>> parts = parts(entries, PART);
        CompletableFuture<Void> answer = call.passWith(1, parts.get(0));
        for (List<Entry> part : parts.subList(1, parts.size())) {
            answer = answer.thenCompose(done -> call.<Void>passWith(1, part).exceptionally(failure -> null));
        }
        return answer;
    }

    /** Sends the adds without a token in the first part, since they have one outcome. */
    private static CompletableFuture<List<Result<Void>>> adds(Sent call, int part) {
        List<AddRequest> requests = call.argument(0);
        List<AddRequest> ordered = new ArrayList<>(requests);
        ordered.sort(Comparator.comparing(request -> request.token() != null));
        int shared = (int)
                requests.stream().filter(request -> request.token() == null).count();
        int first = Math.min(requests.size(), Math.max(shared, part));
        List<List<AddRequest>> parts = new ArrayList<>(List.of(ordered.subList(0, first)));
        parts.addAll(parts(ordered.subList(first, ordered.size()), part));
        IdentityHashMap<AddRequest, Result<Void>> results = new IdentityHashMap<>();
        CompletableFuture<Void> answer = Futures.done(null);
        for (List<AddRequest> some : parts) {
            answer = answer.thenCompose(done -> call.<List<Result<Void>>>passWith(0, some)
                    .thenAccept(answers -> {
                        for (int i = 0; i < some.size(); i++) {
                            results.put(some.get(i), answers.get(i));
                        }
                    }));
        }
        return answer.thenApply(done -> requests.stream().map(results::get).toList());
    }

    private static CompletableFuture<List<Result<Entry>>> appends(Sent call, int part) {
        List<AppendRequest> requests = call.argument(1);
        Commit commit = call.argument(2);
        List<AppendRequest> covered = new ArrayList<>();
        for (AppendRequest request : requests) {
            IdempotencyToken token = request.token() != null
                    ? request.token()
                    : IdempotencyToken.of(commit.token().value() + "." + covered.size());
            covered.add(new AppendRequest(request.change(), request.subject(), request.fields(), token));
        }
        CompletableFuture<List<Result<Entry>>> answer = Futures.done(List.of());
        for (List<AppendRequest> some : parts(covered, part)) {
            answer = answer.thenCompose(before -> joined(Futures.done(before), call.passWith(1, some)));
        }
        return answer;
    }
}
