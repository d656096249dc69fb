package io.counterkit.tck.internal.view;

import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.view.ViewRead.Names;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A change of each of several names, and a kind of read of all of them, which shows how many were changed.
 *
 * @param change the change
 * @param read the kind of read
 * @param isFalling whether the read shows how many names were not changed
 * @param each the number by which one change differs
 */
public record View(ViewChange change, ViewRead read, boolean isFalling, int each) {
    private static final ViewRead[] OF_ADDS = {
        ViewRead.TOTALS,
        ViewRead.RECENT_TOTALS,
        ViewRead.COUNTERS,
        ViewRead.LARGEST,
        ViewRead.TOTALS_OF_LARGEST,
        ViewRead.present(Kind.COUNTER)
    };

    private static final ViewRead[] OF_APPENDS = {ViewRead.SEQUENCES, ViewRead.SUBJECTS, ViewRead.present(Kind.SEQUENCE)
    };

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
                                new View(ViewBatches.APPENDS, ViewRead.TAILS, false, 3),
                                new View(ViewBatches.APPENDS, ViewRead.ENTRIES, false, 3))),
                backend.capabilities());
    }

    private static List<View> ofOne(Set<Capability> capabilities) {
        Stream<List<View>> views = Stream.of(
                of(ViewChange.ADD, OF_ADDS),
                falling(
                        ViewChange.DELETION,
                        ViewRead.TOTALS,
                        ViewRead.RECENT_TOTALS,
                        ViewRead.COUNTERS,
                        ViewRead.LARGEST,
                        ViewRead.TOTALS_OF_LARGEST,
                        ViewRead.present(Kind.COUNTER)),
                falling(ViewChange.RESET, ViewRead.TOTALS, ViewRead.RECENT_TOTALS, ViewRead.TOTALS_OF_LARGEST),
                of(ViewChange.SEAL_OF_COUNTER, ViewRead.sealed(Kind.COUNTER)),
                of(
                        ViewChange.IMPORT_OF_COUNTER,
                        ViewRead.TOTALS,
                        ViewRead.RECENT_TOTALS,
                        ViewRead.LARGEST,
                        ViewRead.TOTALS_OF_LARGEST,
                        ViewRead.present(Kind.COUNTER),
                        ViewRead.imported(Kind.COUNTER)),
                of(ViewChange.APPEND, OF_APPENDS),
                of(ViewChange.APPEND, ViewRead.TAILS, ViewRead.ENTRIES),
                of(ViewChange.ERASURE, ViewRead.ERASED, ViewRead.ERASED_BY_TOKENS),
                of(ViewChange.SEAL_OF_SEQUENCE, ViewRead.SEQUENCES, ViewRead.sealed(Kind.SEQUENCE)),
                of(ViewChange.IMPORT_OF_SEQUENCE, ViewRead.TAILS, ViewRead.imported(Kind.SEQUENCE)),
                of(ViewChange.IMPORT_OF_SUBJECT, ViewRead.SUBJECTS),
                of(ViewChange.COPY, ViewRead.ENTRIES));
        return possible(views, capabilities);
    }

    private static List<View> possible(Stream<List<View>> views, Set<Capability> capabilities) {
        return views.flatMap(List::stream)
                .filter(view ->
                        capabilities.containsAll(view.change.needs()) && capabilities.containsAll(view.read.needs()))
                .toList();
    }

    private static List<View> of(ViewChange change, ViewRead... reads) {
        int each = change.names("").size();
        return Stream.of(reads).map(read -> new View(change, read, false, each)).toList();
    }

    private static List<View> falling(ViewChange change, ViewRead... reads) {
        return Stream.of(reads).map(read -> new View(change, read, true, 1)).toList();
    }

    /** Prepares a trial on this number of names. */
    public ViewTrial on(Stage stage, int size) {
        String prefix = stage.name() + "/";
        List<String> changing =
                IntStream.range(0, size).mapToObj(i -> prefix + i).toList();
        changing.forEach(name -> change.before().prepare(stage, name));
        List<String> all =
                changing.stream().flatMap(name -> change.names(name).stream()).toList();
        return new ViewTrial(this, stage, changing, new Names(prefix, all));
    }

    /** Returns whether the read may lag. */
    public boolean isOfList() {
        return read.isList();
    }

    @Override
    public String toString() {
        return change.label() + " and " + read.label();
    }
}
