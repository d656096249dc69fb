package io.counterkit.tck.internal.fault;

import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.internal.fault.Look.Names;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A change of each of several names, and a way to look at all of them, which shows how many are changed.
 *
 * @param change the change
 * @param look the way to look
 * @param isFalling whether the number is that of the names that are not changed
 * @param each the number that one name adds
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
        if (!ViewChange.acceptsAddsAtOnce(backend)) {
            return List.of();
        }
        return possible(
                Stream.of(of(ViewChange.ADDS_AT_ONCE, OF_ADDS), of(ViewChange.ADDS_WITH_TOKENS, OF_ADDS)),
                backend.capabilities());
    }

    /** Returns the views of batches of appends. */
    public static List<View> ofAppendsAtOnce(CounterBackend backend) {
        if (!ViewChange.acceptsAppendsAtOnce(backend)) {
            return List.of();
        }
        return possible(
                Stream.of(
                        of(ViewChange.APPENDS_AT_ONCE, OF_APPENDS),
                        List.of(
                                new View(ViewChange.APPENDS_AT_ONCE, Look.TAILS, false, 3),
                                new View(ViewChange.APPENDS_AT_ONCE, Look.ENTRIES, false, 3))),
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
                        Look.present(Kind.COUNTER),
                        Look.imported(Kind.COUNTER)),
                of(ViewChange.APPEND, OF_APPENDS),
                of(ViewChange.APPEND, Look.TAILS, Look.ENTRIES),
                of(ViewChange.SEAL_OF_SEQUENCE, Look.SEQUENCES, Look.sealed(Kind.SEQUENCE)),
                of(ViewChange.IMPORT_OF_SEQUENCE, Look.TAILS, Look.imported(Kind.SEQUENCE)));
        return possible(views, capabilities);
    }

    private static List<View> possible(Stream<List<View>> views, Set<Capability> capabilities) {
        return views.flatMap(List::stream)
                .filter(view ->
                        capabilities.containsAll(view.change.needs()) && capabilities.containsAll(view.look.needs()))
                .toList();
    }

    private static List<View> of(ViewChange change, Look... looks) {
        return Stream.of(looks).map(look -> new View(change, look, false, 1)).toList();
    }

    private static List<View> falling(ViewChange change, Look... looks) {
        return Stream.of(looks).map(look -> new View(change, look, true, 1)).toList();
    }

    /** Prepares a trial on this number of names. */
    public Viewed on(Stage stage, int size) {
        String prefix = stage.name() + "/";
        List<String> names = IntStream.range(0, size).mapToObj(i -> prefix + i).toList();
        if (change.isOfUsed()) {
            names.forEach(name -> stage.observing().counter(name).add(1));
        }
        return new Viewed(this, stage, new Names(prefix, names));
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
