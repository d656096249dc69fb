package io.counterkit.verification.broken.size;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Joined;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Sizes, continued: stores that remember only the newest changes of one kind, or the first requests of a batch. */
public final class ForgottenFlaws {
    private static final int MOST = 400;

    private ForgottenFlaws() {}

    public static List<Flaw> all() {
        List<Flaw> flaws = new ArrayList<>(ManyEntriesFlaws.all());
        flaws.addAll(List.of(
                Flaw.that("remembers the newest hundreds of seals of counters only", "13.16")
                        .backend(Kept::new, (right, kept) -> Intercepted.of(right, call -> seals(call, kept))),
                Flaw.that("remembers the newest hundreds of erasures only", "10.26")
                        .backend(Kept::new, (right, kept) -> Intercepted.of(right, call -> erasures(call, kept))),
                Flaw.that("remembers the newest hundreds of deletions only", "8.12")
                        .backend(
                                Kept::new,
                                (right, kept) -> Intercepted.of(right, call -> deletions(right, call, kept))),
                Flaw.that("resolves the appends of a commit by the last digit of their index", "10.24")
                        .batched()
                        .backend(right -> Intercepted.of(right, ForgottenFlaws::byLastDigit)),
                Flaw.that("has room for a hundred lists of counters that are not read to the end", "7.22")
                        .backend(AtomicInteger::new, (right, open) -> Intercepted.of(right, call -> lists(call, open))),
                Flaw.that("forgets erasures when a process connects", "12.7").backend(Kept::new, (right, kept) -> {
                    kept.forget();
                    return Intercepted.of(right, call -> erasures(call, kept));
                })));
        return flaws;
    }

    /** What was changed, with what was there before, and the newest of these changes. */
    private static final class Kept {
        private final Map<Object, Object> before = new ConcurrentHashMap<>();

        private final Map<Object, Boolean> newest = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Object, Boolean> eldest) {
                return size() > MOST;
            }
        };

        synchronized void changed(Object key) {
            newest.put(key, true);
        }

        synchronized void forget() {
            newest.clear();
        }

        synchronized boolean isForgotten(Object key) {
            return before.containsKey(key) && !newest.containsKey(key);
        }
    }

    private static CompletableFuture<?> seals(Sent call, Kept kept) {
        if (call.method().equals("CounterStore.seal")) {
            kept.before.put(call.argument(0), true);
            kept.changed(call.argument(0));
        }
        return call.method().equals("CounterStore.add")
                        && call.<List<AddRequest>>argument(0).stream()
                                .anyMatch(request -> kept.isForgotten(request.name()))
                ? Futures.done(call.<List<AddRequest>>argument(0).stream()
                        .map(request -> Result.applied())
                        .toList())
                : call.pass();
    }

    private static CompletableFuture<?> erasures(Sent call, Kept kept) {
        String name = call.argument(0) instanceof String text ? text : "";
        return switch (call.method()) {
            case "SequenceStore.append" ->
                call.<List<Result<Entry>>>passOn().thenApply(results -> {
                    results.stream()
                            .filter(Result::isApplied)
                            .map(Result::orThrow)
                            .filter(entry -> !entry.erased())
                            .forEach(entry -> kept.before.put(List.of(name, entry.number()), entry));
                    return results;
                });
            case "SequenceStore.erase" -> {
                kept.changed(List.of(name, call.<Long>argument(1)));
                yield call.pass();
            }
            case "SequenceStore.read" ->
                call.<List<Entry>>passOn()
                        .thenApply(entries -> entries.stream()
                                .map(entry -> entry.erased() && kept.isForgotten(List.of(name, entry.number()))
                                        ? kept.before.get(List.of(name, entry.number()))
                                        : entry)
                                .toList());
            default -> call.pass();
        };
    }

    private static CompletableFuture<?> deletions(CounterBackend right, Sent call, Kept kept) {
        if (call.method().equals("CounterStore.delete")) {
            String name = call.argument(0);
            kept.before.put(
                    name,
                    right.counters()
                            .read(List.of(name), Duration.ZERO, Commits.own())
                            .join()
                            .get(0));
            kept.changed(name);
        }
        return call.method().equals("CounterStore.read")
                ? call.<List<Result<Reading>>>passOn()
                        .thenApply(totals -> Joined.of(
                                call.<List<String>>argument(0),
                                totals,
                                (name, total) -> kept.isForgotten(name) ? kept.before.get(name) : total))
                : call.pass();
    }

    /** Keeps a cursor of the store for each list until its last page was read. */
    private static CompletableFuture<?> lists(Sent call, AtomicInteger open) {
        if (!call.method().equals("CounterStore.names")) {
            return call.pass();
        }
        if (open.get() > 100) {
            return CompletableFuture.failedFuture(new NotAppliedException("no cursor is free"));
        }
        boolean isFirst = call.arguments().get(1) == null;
        return call.<NamePage>passOn().thenApply(page -> {
            boolean isLast = page.next() == null;
            if (isFirst != isLast) {
                open.addAndGet(isFirst ? 1 : -1);
            }
            return page;
        });
    }

    private static CompletableFuture<?> byLastDigit(Sent call) {
        return call.method().equals("CounterBackend.resolve")
                        && call.arguments().get(1) instanceof ChangeTarget target
                        && target.isAppend()
                ? call.<Resolution>passWith(1, ChangeTarget.append(target.name(), target.request() % 10))
                : call.pass();
    }
}
