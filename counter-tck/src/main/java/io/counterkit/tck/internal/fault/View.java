package io.counterkit.tck.internal.fault;

import io.counterkit.Change;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Result;
import io.counterkit.tck.internal.fault.Look.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A change of each of several names, and a way to look at all of them, which shows how many are changed.
 *
 * @param change the change
 * @param look the way to look
 * @param isFalling whether the number is that of the names that are not changed
 */
public record View(Made change, Look look, boolean isFalling) {
    private static final String ELSEWHERE = "elsewhere";

    /**
     * A change of one name.
     *
     * @param isOfUsed whether the names have a total of 1 before
     * @param target the target of its commit; null if it can be sent again after any outcome
     */
    record Made(
            String label,
            Set<Capability> needs,
            boolean isOfUsed,
            @Nullable Function<String, ChangeTarget> target,
            Sent sent) {}

    /** Sends the change. */
    interface Sent {
        CompletableFuture<?> to(CounterBackend process, String name, Commit commit);
    }

    /** Returns every view that the capabilities allow. */
    public static List<View> all(Set<Capability> capabilities) {
        Stream<View> views = Stream.of(
                        of(ADD, Look.TOTALS, Look.RECENT_TOTALS, Look.COUNTERS, Look.LARGEST, Look.present(Kind.COUNTER)),
                        falling(
                                DELETION,
                                Look.TOTALS,
                                Look.RECENT_TOTALS,
                                Look.COUNTERS,
                                Look.LARGEST,
                                Look.TOTALS_OF_LARGEST,
                                Look.present(Kind.COUNTER)),
                        falling(RESET, Look.TOTALS, Look.RECENT_TOTALS, Look.TOTALS_OF_LARGEST),
                        of(SEAL_OF_COUNTER, Look.sealed(Kind.COUNTER)),
                        of(IMPORT_OF_COUNTER, Look.TOTALS, Look.RECENT_TOTALS, Look.present(Kind.COUNTER), Look.imported(Kind.COUNTER)),
                        of(
                                APPEND,
                                Look.TAILS,
                                Look.ENTRIES,
                                Look.SEQUENCES,
                                Look.SUBJECTS,
                                Look.present(Kind.SEQUENCE)),
                        of(SEAL_OF_SEQUENCE, Look.SEQUENCES, Look.sealed(Kind.SEQUENCE)),
                        of(IMPORT_OF_SEQUENCE, Look.TAILS, Look.imported(Kind.SEQUENCE)))
                .flatMap(List::stream);
        return views.filter(view -> capabilities.containsAll(view.change.needs())
                        && capabilities.containsAll(view.look.needs()))
                .toList();
    }

    private static List<View> of(Made change, Look... looks) {
        return Stream.of(looks).map(look -> new View(change, look, false)).toList();
    }

    private static List<View> falling(Made change, Look... looks) {
        return Stream.of(looks).map(look -> new View(change, look, true)).toList();
    }

    private static final Made ADD = new Made(
            "an add",
            Set.of(),
            false,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters()
                    .add(List.of(new AddRequest(name, 1, null)), commit)
                    .thenApply(View::succeeded));

    private static final Made DELETION = new Made(
            "a deletion",
            Set.of(),
            true,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters().delete(name, commit));

    private static final Made RESET = new Made(
            "a reset",
            Set.of(),
            true,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters().reset(name, commit));

    private static final Made SEAL_OF_COUNTER = new Made(
            "a seal",
            Set.of(Capability.SEAL_COUNTERS),
            true,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters().seal(name, ELSEWHERE, commit));

    private static final Made APPEND = new Made(
            "an append",
            Set.of(),
            false,
            name -> ChangeTarget.append(name, 0),
            (process, name, commit) -> process.sequences()
                    .append(
                            name,
                            List.of(new AppendRequest(Change.ADDED, Look.SUBJECT, Map.of("value", 1L), null)),
                            commit)
                    .thenApply(View::succeeded));

    private static final Made SEAL_OF_SEQUENCE = new Made(
            "a seal",
            Set.of(Capability.SEAL_SEQUENCES),
            false,
            ChangeTarget::sequence,
            (process, name, commit) -> process.sequences().seal(name, ELSEWHERE, commit));

    private static final Made IMPORT_OF_COUNTER = importing(Kind.COUNTER, new ImportedState(ELSEWHERE, true, 1, 0));

    private static final Made IMPORT_OF_SEQUENCE = importing(Kind.SEQUENCE, new ImportedState(ELSEWHERE, true, 1, 1));

    private static Made importing(Kind kind, ImportedState base) {
        return new Made(
                "an import",
                Set.of(Capability.IMPORT),
                false,
                null,
                (process, name, commit) -> process.migration().importBase(kind, name, base, commit));
    }

    private static boolean succeeded(List<? extends Result<?>> results) {
        Result<?> only = results.get(0);
        if (only.failure() != null) {
            throw only.failure();
        }
        return true;
    }

    /** Prepares a trial on this number of names. */
    public Viewed on(Stage stage, int size) {
        String prefix = stage.name() + "/";
        List<String> names =
                new ArrayList<>(IntStream.range(0, size).mapToObj(i -> prefix + i).toList());
        if (change.isOfUsed()) {
            names.forEach(name -> stage.observing().counter(name).add(1));
        }
        return new Viewed(this, stage, new Names(prefix, List.copyOf(names)));
    }

    /** Returns whether the way to look may lag. */
    public boolean isOfList() {
        return look.isList();
    }

    @Override
    public String toString() {
        return change.label() + " and " + look.label();
    }
}
