package io.counterkit.tck.internal.pair;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Result;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is carried out at the same time as another one.
 *
 * @param needs the capabilities that it needs
 * @param isOfImported whether it is for imported names only
 * @param partner the label of the only operation that it can be paired with, if it is not one step; otherwise empty
 * @param isMain whether it represents its kind of change; the others are variants
 */
record PairedOperation(
        String label, Set<Capability> needs, boolean isOfImported, String partner, boolean isMain, Sent sent) {
    private PairedOperation(String label, Set<Capability> needs, boolean isOfImported, String partner, Sent sent) {
        this(label, needs, isOfImported, partner, partner.isEmpty(), sent);
    }

    /** Sends the operation. */
    interface Sent {
        CompletableFuture<?> to(CounterBackend process, Scene scene);
    }

    static List<PairedOperation> of(Kind kind, Set<Capability> capabilities) {
        return (kind == Kind.COUNTER ? ofCounters() : ofSequences())
                .filter(operation -> capabilities.containsAll(operation.needs()))
                .toList();
    }

    private static Stream<PairedOperation> ofCounters() {
        return Stream.of(
                operation("an add", (process, scene) -> add(process, scene, 3, null)),
                operation("an add with a token", (process, scene) -> add(process, scene, 3, scene.token())),
                operation("another add with that token", (process, scene) -> add(process, scene, 4, scene.token()))
                        .asVariant(),
                operation("a reset", (process, scene) -> process.counters().reset(scene.name(), scene.commit())),
                operation("a deletion", (process, scene) -> process.counters().delete(scene.name(), scene.commit())),
                resolution(),
                seal("a seal", Capability.SEAL_COUNTERS, "elsewhere"),
                seal("a seal with another address", Capability.SEAL_COUNTERS, "somewhere else")
                        .asVariant(),
                importing("an import", new ImportedState("elsewhere", true, 7, 0)),
                importing("an import as absent", new ImportedState("elsewhere", false, 0, 0))
                        .asVariant());
    }

    private static Stream<PairedOperation> ofSequences() {
        return Stream.of(
                operation("an append", (process, scene) -> append(process, scene, Change.ADDED, null, null)),
                operation(
                        "an append with a token",
                        (process, scene) -> append(process, scene, Change.ADDED, null, scene.token())),
                operation(
                                "an addition of a subject with that token",
                                (process, scene) -> append(process, scene, Change.ADDED, "s", scene.token()))
                        .asVariant(),
                operation("an update", (process, scene) -> append(process, scene, Change.UPDATED, "s", null))
                        .asVariant(),
                operation("a removal", (process, scene) -> append(process, scene, Change.REMOVED, "s", null)),
                operation("an addition", (process, scene) -> append(process, scene, Change.ADDED, "s", null)),
                operation("an erasure", (process, scene) -> process.sequences().erase(scene.name(), 1, scene.commit())),
                operation(
                                "an erasure of the next entry",
                                (process, scene) -> process.sequences().erase(scene.name(), 2, scene.commit()))
                        .asVariant(),
                resolution(),
                seal("a seal", Capability.SEAL_SEQUENCES, "elsewhere"),
                seal("a seal with another address", Capability.SEAL_SEQUENCES, "somewhere else")
                        .asVariant(),
                importing("an import", new ImportedState("elsewhere", true, 2, 3)),
                importing("an import as absent", new ImportedState("elsewhere", false, 0, 0))
                        .asVariant(),
                new PairedOperation(
                        "an import of a subject",
                        Set.of(Capability.IMPORT),
                        true,
                        "",
                        (process, scene) -> process.migration().importSubject(scene.name(), "s", true, scene.commit())),
                new PairedOperation(
                                "an import of a subject that is not live",
                                Set.of(Capability.IMPORT),
                                true,
                                "",
                                (process, scene) ->
                                        process.migration().importSubject(scene.name(), "s", false, scene.commit()))
                        .asVariant(),
                new PairedOperation(
                        "an import of another subject",
                        Set.of(Capability.IMPORT),
                        true,
                        "an import of a subject",
                        (process, scene) -> process.migration().importSubject(scene.name(), "u", true, scene.commit())),
                new PairedOperation(
                        "a copy of another entry",
                        Set.of(Capability.IMPORT),
                        true,
                        "a copy",
                        (process, scene) -> process.migration().copy(scene.name(), List.of(copied(3)), scene.commit())),
                new PairedOperation(
                        "an import of a subject and its removal",
                        Set.of(Capability.IMPORT),
                        true,
                        "an import of a subject",
                        (process, scene) -> process.migration()
                                .importSubject(scene.name(), "s", true, scene.commit())
                                .thenCompose(done -> append(process, scene, Change.REMOVED, "s", null))),
                new PairedOperation(
                        "a copy and its erasure",
                        Set.of(Capability.IMPORT),
                        true,
                        "a copy",
                        (process, scene) -> process.migration()
                                .copy(scene.name(), List.of(copied(2)), scene.commit())
                                .thenCompose(done -> process.sequences().erase(scene.name(), 2, scene.commit()))),
                new PairedOperation(
                        "a copy",
                        Set.of(Capability.IMPORT),
                        true,
                        "",
                        (process, scene) ->
                                process.migration().copy(scene.name(), List.of(copied(2)), scene.commit())));
    }

    static PairedOperation operation(String label, Sent sent) {
        return new PairedOperation(label, Set.of(), false, "", sent);
    }

    private static PairedOperation resolution() {
        return operation(
                "a resolution of that token", (process, scene) -> process.resolve(scene.token(), null, scene.commit()));
    }

    private static PairedOperation seal(String label, Capability capability, String forward) {
        return new PairedOperation(
                label,
                Set.of(capability),
                false,
                "",
                (process, scene) -> scene.kind() == Kind.COUNTER
                        ? process.counters().seal(scene.name(), forward, scene.commit())
                        : process.sequences().seal(scene.name(), forward, scene.commit()));
    }

    private static PairedOperation importing(String label, ImportedState base) {
        return new PairedOperation(
                label,
                Set.of(Capability.IMPORT),
                false,
                "",
                (process, scene) -> process.migration().importBase(scene.kind(), scene.name(), base, scene.commit()));
    }

    private static CompletableFuture<String> add(
            CounterBackend process, Scene scene, long delta, @Nullable IdempotencyToken token) {
        return process.counters()
                .add(List.of(new AddRequest(scene.name(), delta, token)), scene.commit())
                .thenApply(results -> answer(results.get(0), "applied"));
    }

    private static CompletableFuture<String> append(
            CounterBackend process,
            Scene scene,
            Change change,
            @Nullable String subject,
            @Nullable IdempotencyToken token) {
        return process.sequences()
                .append(
                        scene.name(),
                        List.of(new AppendRequest(change, subject, Map.of("value", change + " " + subject), token)),
                        scene.commit())
                .thenApply(results -> answer(
                        results.get(0),
                        results.get(0).value() == null
                                ? ""
                                : shown(results.get(0).orThrow())));
    }

    private static String answer(Result<?> result, String applied) {
        if (result.failure() != null) {
            throw result.failure();
        }
        return result.isRetry() ? "has to be sent again" : applied;
    }

    /** Returns this operation as a variant of another one. */
    private PairedOperation asVariant() {
        return new PairedOperation(label, needs, isOfImported, partner, false, sent);
    }

    /** Returns whether it is one step. */
    boolean isOneStep() {
        return partner.isEmpty();
    }

    /**
     * Returns whether the outcome of both operations, carried out concurrently, has to be that of one of their orders.
     */
    boolean canPairWith(PairedOperation other) {
        return (partner.isEmpty() || other.label.equals(partner))
                && (other.partner.isEmpty() || label.equals(other.partner));
    }

    /** Returns a text for an entry, without its time. */
    static String shown(Entry entry) {
        return "#" + entry.number() + " " + entry.change() + " " + entry.subject() + " " + entry.fields() + " "
                + entry.liveCount() + (entry.erased() ? " erased" : "");
    }

    private static Entry copied(long number) {
        return new Entry(number, Instant.EPOCH, Change.ADDED, "s", Map.of("copy", 1L), 2, false);
    }
}
