package io.counterkit.verification.broken.concurrency;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Pages;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Chapter 4, pairs, continued: a change that one way to look shows already, and another one only after a second write.
 */
public final class HalfShownFlaws {
    private HalfShownFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("lists a counter in a second write", "4.6")
                        .backend(
                                HalfShown::new,
                                (right, store) -> listing(right, store, "CounterStore.add", "CounterStore.names")),
                Flaw.that("lists a sequence in a second write", "4.7")
                        .backend(
                                HalfShown::new,
                                (right, store) -> listing(right, store, "SequenceStore.append", "SequenceStore.names")),
                Flaw.that("lists an imported counter in a second write", "4.6")
                        .backend(
                                HalfShown::new,
                                (right, store) ->
                                        listing(right, store, "MigrationStore.importBase", "CounterStore.names")),
                Flaw.that("shows an entry in the tail before it can be read", "4.7")
                        .backend(HalfShown::new, HalfShownFlaws::readingLate));
    }

    /** What the second writes of all processes have to do, and the names that were written before. */
    private record HalfShown(Set<String> known, Set<String> missing) {
        HalfShown() {
            this(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        }

        /** Makes the second write, whatever its outcome. */
        <T> CompletableFuture<T> write(CounterBackend right, Collection<String> names, T answer) {
            missing.addAll(names);
            return right.counters()
                    .read(List.of("second write"), Duration.ZERO, Commits.own())
                    .handle((written, failure) -> {
                        missing.removeAll(names);
                        return answer;
                    });
        }
    }

    private static CounterBackend listing(CounterBackend right, HalfShown store, String change, String list) {
        return Intercepted.of(right, sent -> {
            if (sent.method().equals(list)) {
                CompletableFuture<NamePage> page = sent.passOn();
                return Pages.filtered(page, name -> !store.missing.contains(name));
            }
            return sent.method().equals(change)
                    ? sent.passOn()
                            .thenCompose(answer -> store.write(
                                    right,
                                    namesOf(sent).stream()
                                            .filter(store.known::add)
                                            .toList(),
                                    answer))
                    : sent.pass();
        });
    }

    private static List<String> namesOf(Sent sent) {
        return switch (sent.method()) {
            case "CounterStore.add" ->
                sent.<List<AddRequest>>argument(0).stream()
                        .map(AddRequest::name)
                        .toList();
            case "MigrationStore.importBase" -> List.of(sent.<String>argument(1));
            default -> List.of(sent.<String>argument(0));
        };
    }

    private static CounterBackend readingLate(CounterBackend right, HalfShown store) {
        return Intercepted.of(right, sent -> {
            switch (sent.method()) {
                case "SequenceStore.append" -> {
                    String sequence = sent.argument(0);
                    return sent.<List<Result<Entry>>>passOn()
                            .thenCompose(results -> store.write(
                                    right,
                                    results.stream()
                                            .filter(Result::isApplied)
                                            .map(result -> key(sequence, result.orThrow()))
                                            .toList(),
                                    results));
                }
                case "SequenceStore.read" -> {
                    String sequence = sent.argument(0);
                    return sent.<List<Entry>>passOn()
                            .thenApply(entries -> entries.stream()
                                    .filter(entry -> !store.missing.contains(key(sequence, entry)))
                                    .toList());
                }
                default -> {
                    return sent.pass();
                }
            }
        });
    }

    private static String key(String sequence, Entry entry) {
        return entry.number() + " of " + sequence;
    }
}
