package io.counterkit.tck.internal.pair;

import io.counterkit.NumberRange;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.internal.model.ListedNames;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The reads of a name, which a backend may carry out in several calls. */
final class PairedReads {
    /** Longer than a trial. */
    private static final Duration BOUND = Duration.ofMinutes(1);

    private static final String ENTRIES = "a read of the entries";

    private PairedReads() {}

    /** Returns whether a read shows one moment even if several changes are made during it. */
    static boolean isOfOneMoment(PairedOperation read) {
        return !read.label().equals(ENTRIES);
    }

    /** @param hasLists whether the store's lists show each change immediately */
    static List<PairedOperation> all(Kind kind, Set<Capability> capabilities, boolean hasLists) {
        Stream<PairedOperation> others = kind == Kind.COUNTER
                ? Stream.of(
                        PairedOperation.operation(
                                "a read with a staleness bound",
                                (process, scene) -> totals(process, scene, List.of(scene.name()), BOUND)),
                        PairedOperation.operation(
                                "a read of many",
                                (process, scene) -> totals(
                                        process, scene, List.of(scene.name() + "/other", scene.name()), Duration.ZERO)))
                : Stream.of();
        Stream<PairedOperation> rankings = hasLists && kind == Kind.COUNTER && capabilities.contains(Capability.TOP)
                ? Stream.of(PairedOperation.operation("a ranking", PairedReads::rank))
                : Stream.of();
        return Stream.of(strong(kind, capabilities, hasLists).stream(), others, rankings)
                .flatMap(reads -> reads)
                .toList();
    }

    /** Returns the reads that do not lag. */
    static List<PairedOperation> strong(Kind kind, Set<Capability> capabilities, boolean hasLists) {
        Stream<PairedOperation> contents = kind == Kind.COUNTER
                ? Stream.of(PairedOperation.operation(
                        "a read", (process, scene) -> totals(process, scene, List.of(scene.name()), Duration.ZERO)))
                : Stream.of(
                        PairedOperation.operation(
                                "a read of the tail",
                                (process, scene) -> process.sequences().tail(scene.name(), scene.commit())),
                        PairedOperation.operation(
                                ENTRIES,
                                (process, scene) -> process.sequences()
                                        .read(scene.name(), new NumberRange(1, 100), scene.commit())
                                        .thenApply(entries -> entries.stream()
                                                .map(PairedOperation::shown)
                                                .toList())));
        Stream<PairedOperation> migration = capabilities.contains(Capability.IMPORT)
                ? Stream.of(
                        PairedOperation.operation("a read of the state", PairedReads::state),
                        PairedOperation.operation(
                                "a read of the imported state",
                                (process, scene) ->
                                        process.migration().bases(scene.kind(), List.of(scene.name()), scene.commit())))
                : Stream.of();
        Stream<PairedOperation> subjects = kind == Kind.SEQUENCE && capabilities.contains(Capability.IMPORT)
                ? Stream.of(PairedOperation.operation(
                        "a read of the subject",
                        (process, scene) -> process.migration().subject(scene.name(), "s", scene.commit())))
                : Stream.of();
        Stream<PairedOperation> lists = hasLists
                ? Stream.of(PairedOperation.operation(
                        "a list", (process, scene) -> CompletableFuture.completedFuture(isListed(process, scene))))
                : Stream.of();
        return Stream.of(contents, migration, subjects, lists)
                .flatMap(reads -> reads)
                .toList();
    }

    private static CompletableFuture<?> totals(
            CounterBackend process, Scene scene, List<String> names, Duration maxStaleness) {
        return process.counters()
                .read(names, maxStaleness, scene.commit())
                .thenApply(totals ->
                        totals.stream().map(total -> total.orThrow().value()).toList());
    }

    private static CompletableFuture<?> state(CounterBackend process, Scene scene) {
        return process.migration()
                .states(scene.kind(), List.of(scene.name()), scene.commit())
                .thenApply(states ->
                        states.get(0).isPresent() + " " + states.get(0).seal());
    }

    private static CompletableFuture<?> rank(CounterBackend process, Scene scene) {
        return process.counters()
                .top(scene.name(), 10, scene.commit())
                .thenApply(largest -> largest.stream()
                        .filter(named -> named.name().equals(scene.name()))
                        .map(named -> named.reading().value())
                        .toList());
    }

    private static boolean isListed(CounterBackend process, Scene scene) {
        return ListedNames.of(process, scene.kind(), scene.name(), scene.commits())
                .contains(scene.name());
    }
}
