package io.counterkit.tck.internal.view;

import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.view.Look.Names;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A change of each of several names, and a kind of read of all of them, which shows how many were changed.
 *
 * @param change the change
 * @param look the kind of read
 * @param isFalling whether the read shows how many names were not changed
 * @param each the number by which one change differs
 */
public record View(ViewChange change, Look look, boolean isFalling, int each) {
    private static final Look[] OF_ADDS = {
        Look.TOTALS, Look.RECENT_TOTALS, Look.COUNTERS, Look.LARGEST, Look.TOTALS_OF_LARGEST, Look.present(Kind.COUNTER)
    };

    private static final Look[] OF_APPENDS = {Look.SEQUENCES, Look.SUBJECTS, Look.present(Kind.SEQUENCE)};

    /** Returns every view that a backend allows by its capabilities and limits. */
    public static List<View> all(CounterBackend backend) {
        return Stream.concat(
                        ofAddsAtOnce(backend).stream(),
                        Stream.concat(ofAppendsAtOnce(backend).stream(), ofOne(backend.capabilities()).stream()))
                .toList();
    }

    /** Returns the views of batches of adds. */
    public static List<View> ofAddsAtOnce(CounterBackend backend) {
        return possible(
                ViewBatches.ofAdds(backend).stream().map(change -> of(change, OF_ADDS)), backend.capabilities());
    }

    /** Returns the views of batches of appends. */
    public static List<View> ofAppendsAtOnce(CounterBackend backend) {
        if (!ViewBatches.acceptsAppends(backend)) {
            return List.of();
        }
        return possible(
                Stream.of(
                        of(ViewBatches.APPENDS, OF_APPENDS),
                        List.of(
                                new View(ViewBatches.APPENDS, Look.TAILS, false, 3),
                                new View(ViewBatches.APPENDS, Look.ENTRIES, false, 3))),
                backend.capabilities());
    }

    private static List<View> ofOne(Set<Capability> capabilities) {
        Stream<List<View>> views = Stream.of(
                of(ViewChange.ADD, OF_ADDS),
                falling(
                        ViewChange.DELETION,
                        Look.TOTALS,
                        Look.RECENT_TOTALS,
                        Look.COUNTERS,
                        Look.LARGEST,
                        Look.TOTALS_OF_LARGEST,
                        Look.present(Kind.COUNTER)),
                falling(ViewChange.RESET, Look.TOTALS, Look.RECENT_TOTALS, Look.TOTALS_OF_LARGEST),
                of(ViewChange.SEAL_OF_COUNTER, Look.sealed(Kind.COUNTER)),
                of(
                        ViewChange.IMPORT_OF_COUNTER,
                        Look.TOTALS,
                        Look.RECENT_TOTALS,
                        Look.LARGEST,
                        Look.TOTALS_OF_LARGEST,
                        Look.present(Kind.COUNTER),
                        Look.imported(Kind.COUNTER)),
                of(ViewChange.APPEND, OF_APPENDS),
                of(ViewChange.APPEND, Look.TAILS, Look.ENTRIES),
                of(ViewChange.ERASURE, Look.ERASED, Look.ERASED_BY_TOKENS),
                of(ViewChange.SEAL_OF_SEQUENCE, Look.SEQUENCES, Look.sealed(Kind.SEQUENCE)),
                of(ViewChange.IMPORT_OF_SEQUENCE, Look.TAILS, Look.imported(Kind.SEQUENCE)),
                of(ViewChange.IMPORT_OF_SUBJECT, Look.SUBJECTS),
                of(ViewChange.COPY, Look.ENTRIES));
        return possible(views, capabilities);
    }

    private static List<View> possible(Stream<List<View>> views, Set<Capability> capabilities) {
        return views.flatMap(List::stream)
                .filter(view ->
                        capabilities.containsAll(view.change.needs()) && capabilities.containsAll(view.look.needs()))
                .toList();
    }

    private static List<View> of(ViewChange change, Look... looks) {
        int each = change.names("").size();
        return Stream.of(looks).map(look -> new View(change, look, false, each)).toList();
    }

    private static List<View> falling(ViewChange change, Look... looks) {
        return Stream.of(looks).map(look -> new View(change, look, true, 1)).toList();
    }

    /** Prepares a trial on this number of names. */
    public Viewed on(Stage stage, int size) {
        String prefix = stage.name() + "/";
        List<String> changing =
                IntStream.range(0, size).mapToObj(i -> prefix + i).toList();
        changing.forEach(name -> change.before().prepare(stage, name));
        List<String> all =
                changing.stream().flatMap(name -> change.names(name).stream()).toList();
        return new Viewed(this, stage, changing, new Names(prefix, all));
    }

    /** Returns whether the read may lag. */
    public boolean isOfList() {
        return look.isList();
    }

    @Override
    public String toString() {
        return change.label() + " and " + look.label();
    }
}
