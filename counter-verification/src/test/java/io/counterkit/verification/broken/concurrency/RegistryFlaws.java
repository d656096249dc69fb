package io.counterkit.verification.broken.concurrency;

import io.counterkit.NamedReading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ImportedState;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Joined;
import io.counterkit.verification.broken.flaw.Pages;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Chapter 9, continued: one document that has all names, which the first change of a name reads and writes. */
public final class RegistryFlaws {
    private static final long GAP = 200_000;

    private RegistryFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                registry("lists counters from", "CounterStore.add", "CounterStore.names", "9.3"),
                registry("ranks counters of", "CounterStore.add", "CounterStore.top", "9.3"),
                registry("lists sequences from", "SequenceStore.append", "SequenceStore.names", "9.4"),
                registry("knows the imports in", "MigrationStore.importBase", "MigrationStore.bases", "13.16"));
    }

    private static Flaw registry(String uses, String change, String view, String rule) {
        return Flaw.that(uses + " a document that two first changes write at once", rule)
                .backend(
                        Registry::new,
                        (right, registry) -> Intercepted.of(right, call -> {
                            if (call.method().equals(change)) {
                                return call.<Object>passOn().thenApply(answer -> {
                                    registry.add(namesOf(call));
                                    return answer;
                                });
                            }
                            return call.method().equals(view) ? only(registry.names::contains, call) : call.pass();
                        }));
    }

    private static List<String> namesOf(Sent call) {
        return call.method().equals("CounterStore.add")
                ? call.<List<AddRequest>>argument(0).stream()
                        .map(AddRequest::name)
                        .toList()
                : List.of(call.<String>argument(call.method().equals("MigrationStore.importBase") ? 1 : 0));
    }

    private static CompletableFuture<?> only(Predicate<String> isKnown, Sent call) {
        return switch (call.method()) {
            case "CounterStore.top" ->
                call.<List<NamedReading>>passOn()
                        .thenApply(largest -> largest.stream()
                                .filter(named -> isKnown.test(named.name()))
                                .toList());
            case "MigrationStore.bases" ->
                call.<List<Optional<ImportedState>>>passOn()
                        .thenApply(bases -> Joined.of(
                                call.<List<String>>argument(1),
                                bases,
                                (name, base) -> base.filter(imported -> isKnown.test(name))));
            default -> Pages.filtered(call.passOn(), isKnown);
        };
    }

    private static final class Registry {
        private volatile Set<String> names = Set.of();

        /** Reads the document, and writes it a moment later. */
        void add(List<String> some) {
            Set<String> all = new HashSet<>(names);
            if (all.addAll(some)) {
                LockSupport.parkNanos(GAP);
                names = all;
            }
        }
    }
}
