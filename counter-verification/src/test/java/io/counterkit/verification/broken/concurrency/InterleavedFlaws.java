package io.counterkit.verification.broken.concurrency;

import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Chapter 4, continued: answers and changes of two calls to the store, of which the second one does not notice a
 * change.
 */
final class InterleavedFlaws {
    private InterleavedFlaws() {}

    static List<Flaw> all() {
        return List.of(
                Flaw.that("imports a counter as absent that is in use by then", "4.6")
                        .backend(ConcurrentHashMap::new, InterleavedFlaws::importing),
                Flaw.that("ranks a counter as 0 that was deleted after it was listed", "4.6")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().equals("CounterStore.top") ? rank(right, call) : call.pass())),
                Flaw.that("reads whether a name is present, and then its seal", "4.15", "4.16")
                        .backend(right -> Intercepted.of(
                                right,
                                call -> call.method().equals("MigrationStore.states") ? states(call) : call.pass())));
    }

    /** Keeps imports as absent in a table that adds do not look at. */
    private static CounterBackend importing(CounterBackend right, Map<String, ImportedState> absent) {
        return Intercepted.of(right, call -> {
            if (call.method().equals("MigrationStore.bases") && call.argument(0) == Kind.COUNTER) {
                List<String> names = call.argument(1);
                return call.<List<Optional<ImportedState>>>passOn().thenApply(bases -> {
                    List<Optional<ImportedState>> all = new ArrayList<>();
                    for (int i = 0; i < names.size(); i++) {
                        ImportedState known = absent.get(names.get(i));
                        all.add(bases.get(i).or(() -> Optional.ofNullable(known)));
                    }
                    return all;
                });
            }
            if (!call.method().equals("MigrationStore.importBase") || call.argument(0) != Kind.COUNTER) {
                return call.pass();
            }
            String name = call.argument(1);
            ImportedState base = call.argument(2);
            ImportedState known = absent.get(name);
            if (known != null) {
                return Futures.done(known);
            }
            return right.migration()
                    .states(Kind.COUNTER, List.of(name), Commits.own())
                    .thenCompose(states -> {
                        boolean isUnused =
                                !states.get(0).isPresent() && states.get(0).seal() == null;
                        return base.isPresent() || !isUnused
                                ? call.<ImportedState>passOn()
                                : Futures.recover(call.passOn(), NotAppliedException.class, refusal -> {
                                    absent.put(name, base);
                                    return Futures.done(base);
                                });
                    });
        });
    }

    private static CompletableFuture<List<NamedReading>> rank(CounterBackend right, Sent call) {
        int limit = call.argument(1);
        return right.counters()
                .names(call.argument(0), null, limit, call.last())
                .thenApply(NamePage::names)
                .thenCompose(names -> right.counters()
                        .read(names, Duration.ZERO, call.last())
                        .thenApply(totals -> {
                            List<NamedReading> largest = new ArrayList<>();
                            for (int i = 0; i < names.size(); i++) {
                                Reading total = totals.get(i).orThrow();
                                largest.add(new NamedReading(names.get(i), total));
                            }
                            largest.sort(Comparator.comparing(
                                    (NamedReading named) -> -named.reading().value()));
                            return largest;
                        }));
    }

    private static CompletableFuture<List<NameState>> states(Sent call) {
        return call.<List<NameState>>passOn()
                .thenCompose(first -> call.<List<NameState>>passOn().thenApply(second -> {
                    List<NameState> states = new ArrayList<>();
                    for (int i = 0; i < first.size(); i++) {
                        NameState later = second.get(i);
                        states.add(new NameState(first.get(i).isPresent(), later.seal(), later.sealedAt()));
                    }
                    return states;
                }));
    }
}
