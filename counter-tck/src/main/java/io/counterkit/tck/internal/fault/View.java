package io.counterkit.tck.internal.fault;

import io.counterkit.Change;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
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
 * @param each the number that one name adds
 */
public record View(Made change, Look look, boolean isFalling, int each) {
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

    private static final Look[] OF_ADDS = {
        Look.TOTALS,
        Look.RECENT_TOTALS,
        Look.COUNTERS,
        Look.LARGEST,
        Look.TOTALS_OF_LARGEST,
        Look.present(Kind.COUNTER)
    };

    private static final Look[] OF_APPENDS = {Look.SEQUENCES, Look.SUBJECTS, Look.present(Kind.SEQUENCE)};

    /** Returns every view that the capabilities allow. */
    public static List<View> all(Set<Capability> capabilities) {
        return Stream.concat(ofAddsAtOnce(capabilities).stream(), Stream.concat(ofAppendsAtOnce(capabilities).stream(), ofOne(capabilities).stream())).toList();
    }

    /** Returns the views of batches of adds. */
    public static List<View> ofAddsAtOnce(Set<Capability> capabilities) {
        return possible(Stream.of(of(ADDS_AT_ONCE, OF_ADDS), of(ADDS_WITH_TOKENS, OF_ADDS)), capabilities);
    }

    /** Returns the views of batches of appends. */
    public static List<View> ofAppendsAtOnce(Set<Capability> capabilities) {
        return possible(
                Stream.of(
                        of(APPENDS_AT_ONCE, OF_APPENDS),
                        List.of(
                                new View(APPENDS_AT_ONCE, Look.TAILS, false, 3),
                                new View(APPENDS_AT_ONCE, Look.ENTRIES, false, 3))),
                capabilities);
    }

    private static List<View> ofOne(Set<Capability> capabilities) {
        Stream<List<View>> views = Stream.of(
                        of(ADD, OF_ADDS),
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
                        of(APPEND, OF_APPENDS),
                        of(APPEND, Look.TAILS, Look.ENTRIES),
                        of(SEAL_OF_SEQUENCE, Look.SEQUENCES, Look.sealed(Kind.SEQUENCE)),
                        of(IMPORT_OF_SEQUENCE, Look.TAILS, Look.imported(Kind.SEQUENCE)));
        return possible(views, capabilities);
    }

    private static List<View> possible(Stream<List<View>> views, Set<Capability> capabilities) {
        return views.flatMap(List::stream)
                .filter(view -> capabilities.containsAll(view.change.needs())
                        && capabilities.containsAll(view.look.needs()))
                .toList();
    }

    private static List<View> of(Made change, Look... looks) {
        return Stream.of(looks).map(look -> new View(change, look, false, 1)).toList();
    }

    private static List<View> falling(Made change, Look... looks) {
        return Stream.of(looks).map(look -> new View(change, look, true, 1)).toList();
    }

    private static final Made ADD = new Made(
            "an add",
            Set.of(),
            false,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters()
                    .add(List.of(new AddRequest(name, 1, null)), commit)
                    .thenApply(View::succeeded));

    private static final Made ADDS_AT_ONCE = adds("a batch of adds", 1, null);

    private static final Made ADDS_WITH_TOKENS = adds("a batch of adds with tokens", 0, "/other");

    /** Returns a batch of adds of 1 in total, of which the first one has no token unless it is 0. */
    private static Made adds(String label, long delta, @Nullable String token) {
        return new Made(
                label,
                Set.of(),
                false,
                token == null ? ChangeTarget::counter : null,
                (process, name, commit) -> process.counters()
                        .add(
                                List.of(
                                        new AddRequest(name, delta, token == null ? null : of(name + token)),
                                        new AddRequest(name, 1 - delta, of(name + "/token"))),
                                commit)
                        .thenApply(View::succeeded));
    }

    private static IdempotencyToken of(String token) {
        return IdempotencyToken.of(token);
    }

    private static final Made APPENDS_AT_ONCE = new Made(
            "a batch of appends",
            Set.of(),
            false,
            null,
            (process, name, commit) -> process.sequences()
                    .append(
                            name,
                            List.of(
                                    new AppendRequest(Change.ADDED, Look.SUBJECT, Map.of("value", 1L), of(name + "/1")),
                                    new AppendRequest(Change.UPDATED, Look.SUBJECT, Map.of(), of(name + "/2")),
                                    new AppendRequest(Change.ADDED, null, Map.of("value", 3L), of(name + "/3"))),
                            commit)
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
        for (Result<?> result : results) {
            if (result.failure() != null) {
                throw result.failure();
            }
            if (result.isRetry()) {
                throw new NotAppliedException("to be sent again");
            }
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
