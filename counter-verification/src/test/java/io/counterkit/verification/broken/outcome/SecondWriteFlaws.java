package io.counterkit.verification.broken.outcome;

import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Futures;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import io.counterkit.verification.broken.flaw.Joined;
import io.counterkit.verification.broken.flaw.Pages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Chapters 2, 7 and 10, continued: what a store keeps besides a change, for one way to look at it, and does not write
 * after a lost reply, or for a batch.
 */
public final class SecondWriteFlaws {
    /** The ways to look that know names, in words. */
    private static final Map<String, String> VIEWS = Map.of(
            "CounterStore.names", "list of counters",
            "CounterStore.top", "list of the largest counters",
            "MigrationStore.states", "states",
            "SequenceStore.names", "list of sequences",
            "MigrationStore.subject", "subjects",
            "MigrationStore.bases", "imported states");

    private SecondWriteFlaws() {}

    public static List<Flaw> all() {
        return Stream.concat(
                        Stream.of(
                                afterLostReply("CounterStore.add", "CounterStore.names"),
                                afterLostReply("CounterStore.add", "CounterStore.top"),
                                afterLostReply("CounterStore.add", "MigrationStore.states"),
                                afterLostReply("SequenceStore.append", "SequenceStore.names"),
                                afterLostReply("SequenceStore.append", "MigrationStore.subject"),
                                afterLostReply("MigrationStore.importBase", "MigrationStore.bases"),
                                afterLostReply("MigrationStore.importBase", "MigrationStore.states"),
                                afterLostReply("MigrationStore.importBase", "CounterStore.top")),
                        Stream.of(
                                inBatches("CounterStore.add", "CounterStore.top", "2.11"),
                                inBatches("CounterStore.add", "MigrationStore.states", "2.11"),
                                inBatches("SequenceStore.append", "SequenceStore.names", "10.25"),
                                inBatches("SequenceStore.append", "MigrationStore.subject", "10.25"),
                                afterTheFirst("CounterStore.names"),
                                afterTheFirst("CounterStore.top"),
                                afterTheFirst("MigrationStore.states"),
                                recentTotals(),
                                ghosts()))
                .toList();
    }

    private static Flaw afterLostReply(String change, String view) {
        return hiding(
                Flaw.that(omits(view) + " what a call changed whose reply was lost: " + change, "7.25"),
                change,
                view,
                (call, failure) -> isUnknown(failure));
    }

    private static Flaw inBatches(String change, String view, String rule) {
        return hiding(
                Flaw.that(omits(view) + " what a batch has changed: " + change, rule),
                change,
                view,
                (call, failure) -> failure == null && sizeOf(call) > 1);
    }

    /** Knows only the first counter of a batch. */
    private static Flaw afterTheFirst(String view) {
        return hiding(
                Flaw.that(omits(view) + " all counters of a batch but the first", "2.11"),
                "CounterStore.add",
                view,
                (call, failure) -> failure == null,
                call -> namesOf(call).stream().distinct().skip(1).toList());
    }

    private static String omits(String view) {
        return "omits from its " + VIEWS.get(view);
    }

    private static boolean isUnknown(Throwable failure) {
        Throwable cause = failure == null ? null : Futures.unwrap(failure);
        return cause instanceof OutcomeUnknownException || cause instanceof IllegalStateException;
    }

    private static int sizeOf(Sent call) {
        List<?> requests = call.argument(call.method().equals("CounterStore.add") ? 0 : 1);
        return requests.size();
    }

    private static List<String> namesOf(Sent call) {
        if (call.method().equals("CounterStore.add")) {
            return call.<List<AddRequest>>argument(0).stream()
                    .map(AddRequest::name)
                    .toList();
        }
        String name = call.argument(call.method().equals("MigrationStore.importBase") ? 1 : 0);
        return List.of(name);
    }

    private static Flaw hiding(Flaw.Draft flaw, String change, String view, BiPredicate<Sent, Throwable> isHiding) {
        return hiding(flaw, change, view, isHiding, SecondWriteFlaws::namesOf);
    }

    /** Hides names from one view after some calls of one change. */
    private static Flaw hiding(
            Flaw.Draft flaw,
            String change,
            String view,
            BiPredicate<Sent, Throwable> isHiding,
            Function<Sent, List<String>> names) {
        return flaw.backend(
                ConcurrentHashMap::<String>newKeySet,
                (right, hidden) -> Intercepted.of(right, call -> {
                    if (call.method().equals(change)) {
                        return call.<Object>passOn().whenComplete((answer, failure) -> {
                            if (isHiding.test(call, failure)) {
                                hidden.addAll(names.apply(call));
                            }
                        });
                    }
                    return call.method().equals(view) ? without(hidden, call) : call.pass();
                }));
    }

    private static CompletableFuture<?> without(Set<String> hidden, Sent call) {
        return switch (call.method()) {
            case "CounterStore.top" ->
                call.<List<NamedReading>>passOn()
                        .thenApply(largest -> largest.stream()
                                .filter(named -> !hidden.contains(named.name()))
                                .toList());
            case "MigrationStore.states" ->
                call.<List<NameState>>passOn()
                        .thenApply(states -> Joined.of(
                                call.<List<String>>argument(1),
                                states,
                                (name, state) -> hidden.contains(name)
                                        ? new NameState(false, state.seal(), state.sealedAt())
                                        : state));
            case "MigrationStore.bases" ->
                call.<List<Optional<ImportedState>>>passOn()
                        .thenApply(bases -> Joined.of(
                                call.<List<String>>argument(1),
                                bases,
                                (name, base) -> base.filter(imported -> !hidden.contains(name))));
            case "MigrationStore.subject" ->
                call.<Optional<Boolean>>passOn()
                        .thenApply(isLive -> isLive.filter(live -> !hidden.contains(call.<String>argument(0))));
            default -> Pages.filtered(call.<NamePage>passOn(), name -> !hidden.contains(name));
        };
    }

    /** Caches totals for reads with a bound; single adds remove them, and batches do not. */
    private static Flaw recentTotals() {
        return Flaw.that("reads a total from before a batch, with a staleness bound", "2.11")
                .backend(
                        ConcurrentHashMap<List<String>, Object>::new,
                        (right, cache) -> Intercepted.of(right, call -> {
                            if (call.method().equals("CounterStore.add") && sizeOf(call) == 1) {
                                cache.clear();
                            }
                            if (!call.method().equals("CounterStore.read")
                                    || call.<Duration>argument(1).isZero()) {
                                return call.pass();
                            }
                            Object cached = cache.get(call.<List<String>>argument(0));
                            return cached != null
                                    ? CompletableFuture.completedFuture(cached)
                                    : call.<List<Result<Reading>>>passOn().thenApply(totals -> {
                                        cache.put(call.argument(0), totals);
                                        return totals;
                                    });
                        }));
    }

    /** Lists a deleted counter among the largest if the reply of its deletion was lost. */
    private static Flaw ghosts() {
        return Flaw.that("lists counters among the largest whose deletion lost its reply", "7.25")
                .backend(
                        ConcurrentHashMap::<String>newKeySet,
                        (right, ghosts) -> Intercepted.of(right, call -> withGhosts(ghosts, call)));
    }

    private static CompletableFuture<?> withGhosts(Set<String> ghosts, Sent call) {
        if (call.method().equals("CounterStore.delete")) {
            String name = call.argument(0);
            return call.<Object>passOn().whenComplete((done, failure) -> {
                if (isUnknown(failure)) {
                    ghosts.add(name);
                }
            });
        }
        return call.method().equals("CounterStore.top")
                ? call.<List<NamedReading>>passOn().thenApply(largest -> {
                    List<NamedReading> listed = new ArrayList<>(largest);
                    ghosts.stream()
                            .filter(name -> name.startsWith(call.argument(0)))
                            .forEach(name ->
                                    listed.add(new NamedReading(name, new Reading(0, Instant.now(), Duration.ZERO))));
                    return listed;
                })
                : call.pass();
    }
}
