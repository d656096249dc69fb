package io.counterkit.verification.broken.outcome;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapter 7, continued: copies of an entry that are erased after the reply, and stay if it is lost. */
public final class LostErasureFlaws {
    private LostErasureFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("reads ranges of a copy that an erasure does not reach if its reply is lost", "7.25")
                        .backend(Copies::new, (right, copies) -> Intercepted.of(right, copies::inRanges)),
                Flaw.that("keeps an entry for its token if the reply of its erasure is lost", "7.25")
                        .backend(Copies::new, (right, copies) -> Intercepted.of(right, copies::ofTokens)));
    }

    private record Place(String sequence, long number) {}

    /** Copies of entries as they were appended, and the places of those whose erasure lost its reply. */
    private record Copies(Map<Place, Entry> appended, Set<Place> lost) {
        Copies() {
            this(new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
        }

        CompletableFuture<?> inRanges(Sent call) {
            return switch (call.method()) {
                case "SequenceStore.append" ->
                    call.<List<Result<Entry>>>passOn().thenApply(results -> {
                        keep(call, results);
                        return results;
                    });
                case "SequenceStore.erase" -> erase(call);
                case "SequenceStore.read" ->
                    call.<NumberRange>argument(1).size() == 1
                            ? call.pass()
                            : call.<List<Entry>>passOn()
                                    .thenApply(entries -> entries.stream()
                                            .map(entry -> found(call, entry))
                                            .toList());
                default -> call.pass();
            };
        }

        CompletableFuture<?> ofTokens(Sent call) {
            return switch (call.method()) {
                case "SequenceStore.append" ->
                    call.<List<Result<Entry>>>passOn().thenApply(results -> {
                        keep(call, results);
                        return results.stream()
                                .map(result -> result.value() == null ? result : Result.of(found(call, result.value())))
                                .toList();
                    });
                case "SequenceStore.erase" -> erase(call);
                default -> call.pass();
            };
        }

        private static Place place(Sent call, long number) {
            return new Place(call.argument(0), number);
        }

        private void keep(Sent call, List<Result<Entry>> results) {
            for (Result<Entry> result : results) {
                Entry entry = result.value();
                if (entry != null && !entry.erased()) {
                    appended.put(place(call, entry.number()), entry);
                }
            }
        }

        private CompletableFuture<?> erase(Sent call) {
            return call.<Object>passOn().whenComplete((done, failure) -> {
                if (failure != null && Futures.unwrap(failure) instanceof OutcomeUnknownException) {
                    lost.add(place(call, call.argument(1)));
                }
            });
        }

        private Entry found(Sent call, Entry entry) {
            Place place = place(call, entry.number());
            return lost.contains(place) ? appended.getOrDefault(place, entry) : entry;
        }
    }
}
