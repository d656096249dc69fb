package io.counterkit.verification.broken.outcome;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.NumberRange;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.CounterBackend;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Chapter 5, continued: stores in which more than tokens expires after a second. */
public final class ExpiringFlaws {
    private static final long LIFE = TimeUnit.SECONDS.toNanos(1);

    private ExpiringFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                flaw("forgets soon the cursors of counters", (made, call) -> cursors("CounterStore.names", made, call)),
                flaw(
                        "forgets soon the cursors of sequences",
                        (made, call) -> cursors("SequenceStore.names", made, call)),
                flaw("omits counters from its lists a second later", ExpiringFlaws::counters),
                flaw("omits counters from the largest a second later", ExpiringFlaws::largest),
                flaw("omits sequences from its lists a second later", ExpiringFlaws::sequences),
                flaw("forgets soon which subjects are live", ExpiringFlaws::subjects),
                flaw("forgets copied entries a second later", ExpiringFlaws::copies),
                Flaw.that("returns erased fields a second later", "5.22")
                        .backend(
                                ConcurrentHashMap<String, Erased>::new,
                                (right, erased) -> Intercepted.of(right, call -> erasing(right, erased, call))),
                Flaw.that("restores a deleted total a second later", "5.22")
                        .backend(
                                ConcurrentHashMap<String, Deleted>::new,
                                (right, deleted) -> Intercepted.of(right, call -> deleting(right, deleted, call))));
    }

    private static Flaw flaw(String does, BiFunction<Moments, Sent, CompletableFuture<?>> answer) {
        return Flaw.that(does, "5.22")
                .backend(Moments::new, (right, made) -> Intercepted.of(right, call -> answer.apply(made, call)));
    }

    /** The moments at which something was made. */
    private static final class Moments {
        private final ConcurrentHashMap<Object, Long> made = new ConcurrentHashMap<>();

        void make(@Nullable Object what) {
            if (what != null) {
                made.putIfAbsent(what, System.nanoTime());
            }
        }

        boolean isExpired(@Nullable Object what) {
            Long at = what == null ? null : made.get(what);
            return at != null && ExpiringFlaws.isExpired(at);
        }
    }

    private static boolean isExpired(long at) {
        return System.nanoTime() - at > LIFE;
    }

    private static CompletableFuture<?> cursors(String method, Moments made, Sent call) {
        if (!call.method().equals(method)) {
            return call.pass();
        }
        if (made.isExpired(call.argument(1))) {
            return Futures.done(new NamePage(List.of(), null));
        }
        return call.<NamePage>passOn().thenApply(page -> {
            made.make(page.next());
            return page;
        });
    }

    private static CompletableFuture<?> counters(Moments made, Sent call) {
        makeAdded(made, call);
        return call.method().equals("CounterStore.names") ? listed(made, call) : call.pass();
    }

    private static CompletableFuture<?> largest(Moments made, Sent call) {
        makeAdded(made, call);
        return call.method().equals("CounterStore.top")
                ? call.<List<NamedReading>>passOn()
                        .thenApply(all -> all.stream()
                                .filter(named -> !made.isExpired(named.name()))
                                .toList())
                : call.pass();
    }

    private static void makeAdded(Moments made, Sent call) {
        if (call.method().equals("CounterStore.add")) {
            call.<List<AddRequest>>argument(0).forEach(request -> made.make(request.name()));
        }
    }

    private static CompletableFuture<?> sequences(Moments made, Sent call) {
        if (call.method().equals("SequenceStore.append")) {
            made.make(call.argument(0));
        }
        return call.method().equals("SequenceStore.names") ? listed(made, call) : call.pass();
    }

    private static CompletableFuture<NamePage> listed(Moments made, Sent call) {
        return call.<NamePage>passOn()
                .thenApply(page -> new NamePage(
                        page.names().stream()
                                .filter(name -> !made.isExpired(name))
                                .toList(),
                        page.next()));
    }

    /** Appends without its subject what changes a subject that has expired. */
    private static CompletableFuture<?> subjects(Moments made, Sent call) {
        if (!call.method().equals("SequenceStore.append")) {
            return call.pass();
        }
        String sequence = call.argument(0);
        return call.passWith(
                1,
                call.<List<AppendRequest>>argument(1).stream()
                        .map(request -> {
                            List<Object> subject =
                                    request.subject() == null ? null : List.of(sequence, request.subject());
                            made.make(subject);
                            return made.isExpired(subject)
                                    ? new AppendRequest(request.change(), null, request.fields(), request.token())
                                    : request;
                        })
                        .toList());
    }

    private static CompletableFuture<?> copies(Moments made, Sent call) {
        if (call.method().equals("MigrationStore.copy")) {
            made.make(call.argument(0));
        }
        return call.method().equals("SequenceStore.read") && made.isExpired(call.argument(0))
                ? Futures.done(List.of())
                : call.pass();
    }

    /** An entry, as it was when it was erased. */
    private record Erased(long at, Entry entry) {}

    private static CompletableFuture<?> erasing(
            CounterBackend right, ConcurrentHashMap<String, Erased> erased, Sent call) {
        if (call.method().equals("SequenceStore.erase")) {
            String sequence = call.argument(0);
            long number = call.<Long>argument(1);
            return right.sequences()
                    .read(sequence, new NumberRange(number, number), Commits.own())
                    .thenCompose(before -> call.passOn().thenApply(isPresent -> {
                        before.forEach(entry ->
                                erased.putIfAbsent(sequence + "/" + number, new Erased(System.nanoTime(), entry)));
                        return isPresent;
                    }));
        }
        return call.method().equals("SequenceStore.read")
                ? call.<List<Entry>>passOn()
                        .thenApply(entries -> entries.stream()
                                .map(entry -> {
                                    Erased before = erased.get(call.argument(0) + "/" + entry.number());
                                    return before != null && isExpired(before.at()) ? before.entry() : entry;
                                })
                                .toList())
                : call.pass();
    }

    /** A total, as it was when it was deleted. */
    private record Deleted(long at, long total) {}

    private static CompletableFuture<?> deleting(
            CounterBackend right, ConcurrentHashMap<String, Deleted> deleted, Sent call) {
        if (call.method().equals("CounterStore.delete")) {
            String name = call.argument(0);
            return right.counters()
                    .read(List.of(name), Duration.ZERO, Commits.own())
                    .thenCompose(totals -> call.passOn().thenApply(done -> {
                        if (totals.get(0).isApplied() && totals.get(0).orThrow().value() != 0) {
                            deleted.put(
                                    name,
                                    new Deleted(
                                            System.nanoTime(),
                                            totals.get(0).orThrow().value()));
                        }
                        return done;
                    }));
        }
        if (call.method().equals("CounterStore.read")) {
            CompletableFuture<?> restored = Futures.done(true);
            for (String name : call.<List<String>>argument(0)) {
                Deleted before = deleted.get(name);
                if (before != null && isExpired(before.at()) && deleted.remove(name, before)) {
                    AddRequest again = new AddRequest(name, before.total(), null);
                    restored = restored.thenCompose(done -> right.counters().add(List.of(again), Commits.own()));
                }
            }
            return restored.thenCompose(done -> call.passOn());
        }
        return call.pass();
    }
}
