package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.AsyncCounter;
import io.counterkit.AsyncSequence;
import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** The changes of the SPI, for runs with faults. The kit's own build fails if a change of the SPI is missing here. */
public final class Changes {
    private static final String ELSEWHERE = "elsewhere";

    private Changes() {}

    /** Returns all changes. */
    public static List<Operation<List<Part>>> all() {
        List<Operation<List<Part>>> all = new ArrayList<>();
        all.add(counter("an add", stage -> List.of(add(stage, stage.counter(5), 5, 1))));
        all.add(counter("a first add", stage -> List.of(add(stage, stage.name(), 0, 1))));
        all.add(counter("an add with a token", stage -> List.of(addOnce(stage, stage.counter(5), 5, 1))));
        all.add(counter(
                "adds to several counters at once",
                stage -> List.of(
                        add(stage, stage.counter(5), 5, 1),
                        add(stage, stage.counter(-5), -5, -2),
                        addOnce(stage, stage.counter(0), 0, 7),
                        add(stage, stage.name(), 0, 3))));
        all.add(new Operation<>(
                "adds at once, of which one is to a sealed counter",
                Set.of("CounterStore.add"),
                Set.of(Capability.SEAL_COUNTERS),
                stage -> List.of(
                        add(stage, stage.counter(5), 5, 1),
                        add(stage, stage.counter(6), 6, 1),
                        refusedAdd(stage),
                        repeatedAdd(stage),
                        addOnce(stage, stage.counter(7), 7, 1))));
        all.add(change("a reset", "CounterStore.reset", Set.of(), stage -> {
            String name = stage.counter(5);
            return Part.of(() -> counter(stage, name).reset(), clearable(stage, name), 5L, 0L);
        }));
        all.add(change("a deletion", "CounterStore.delete", Set.of(), stage -> {
            String name = stage.counter(5);
            return Part.of(() -> counter(stage, name).delete(), clearable(stage, name), 5L, 0L);
        }));
        all.add(change("a seal of a counter", "CounterStore.seal", Set.of(Capability.SEAL_COUNTERS), stage -> {
            String name = stage.counter(5);
            return Part.of(
                    () -> counter(stage, name).seal(ELSEWHERE), () -> isSealed(stage, Kind.COUNTER, name), false, true);
        }));
        all.add(sequence("an append", stage -> List.of(append(stage, threeEntries(stage), "a"))));
        all.add(sequence("a first append", stage -> List.of(append(stage, stage.name(), "a"))));
        all.add(sequence("an append with a token", stage -> List.of(appendOnce(stage, threeEntries(stage), "a"))));
        all.add(sequence("appends at once", stage -> {
            String name = threeEntries(stage);
            return List.of(append(stage, name, "a"), appendOnce(stage, name, "b"), append(stage, name, "c"));
        }));
        all.add(sequence("appends at once, of which one does not fit", stage -> {
            String name = threeEntries(stage);
            return List.of(
                    append(stage, name, "a"),
                    append(stage, name, "b"),
                    refusedAppend(stage, name),
                    repeatedAppend(stage, name),
                    appendOnce(stage, name, "c"));
        }));
        for (Change change : Change.values()) {
            all.add(sequence("an append that has " + change + " a subject", stage -> List.of(revise(stage, change))));
        }
        all.add(change("an erasure", "SequenceStore.erase", Set.of(), stage -> {
            String name = threeEntries(stage);
            Supplier<Boolean> isErased =
                    () -> stage.observing().sequence(name).read(2, 2).get(0).erased();
            return Part.of(() -> sequence(stage, name).erase(2), isErased, false, true);
        }));
        all.add(change("a seal of a sequence", "SequenceStore.seal", Set.of(Capability.SEAL_SEQUENCES), stage -> {
            String name = threeEntries(stage);
            Supplier<Boolean> isSealed =
                    () -> stage.observing().sequence(name).tail().seal() != null;
            return Part.of(() -> sequence(stage, name).seal(ELSEWHERE), isSealed, false, true);
        }));
        all.add(change("an import of a counter", "MigrationStore.importBase", Set.of(Capability.IMPORT), stage -> {
            String name = stage.name();
            return Part.repeatable(
                    () -> stage.actingBackend()
                            .migration()
                            .importBase(
                                    Kind.COUNTER,
                                    name,
                                    new ImportedState(ELSEWHERE, true, 7, 0),
                                    stage.actingCommits().get()),
                    () -> total(stage, name),
                    0L,
                    7L);
        }));
        all.add(change("an import of a sequence", "MigrationStore.importBase", Set.of(Capability.IMPORT), stage -> {
            String name = stage.name();
            return Part.repeatable(
                    () -> stage.actingBackend()
                            .migration()
                            .importBase(
                                    Kind.SEQUENCE,
                                    name,
                                    new ImportedState(ELSEWHERE, true, 3, 40),
                                    stage.actingCommits().get()),
                    () -> stage.observing().sequence(name).last(),
                    0L,
                    40L);
        }));
        all.add(change("an import of a subject", "MigrationStore.importSubject", Set.of(Capability.IMPORT), stage -> {
            String name = imported(stage);
            return Part.repeatable(
                    () -> stage.actingBackend()
                            .migration()
                            .importSubject(
                                    name, "s", true, stage.actingCommits().get()),
                    () -> stage.observingBackend()
                            .migration()
                            .subject(name, "s", stage.commits().get())
                            .join()
                            .orElse(false),
                    false,
                    true);
        }));
        all.add(change("a copy of entries", "MigrationStore.copy", Set.of(Capability.IMPORT), stage -> {
            String name = imported(stage);
            List<Entry> entries = List.of(copied(1), copied(2), copied(40));
            return Part.repeatable(
                    () -> stage.actingBackend()
                            .migration()
                            .copy(name, entries, stage.actingCommits().get()),
                    () -> stage.observing().sequence(name).read(1, 40),
                    List.of(),
                    entries);
        }));
        return all;
    }

    private static Operation<List<Part>> counter(String label, Function<Stage, List<Part>> prepare) {
        return new Operation<>(label, Set.of("CounterStore.add"), Set.of(), prepare);
    }

    private static Operation<List<Part>> sequence(String label, Function<Stage, List<Part>> prepare) {
        return new Operation<>(label, Set.of("SequenceStore.append"), Set.of(), prepare);
    }

    private static Operation<List<Part>> change(
            String label, String covers, Set<Capability> needs, Function<Stage, Part> prepare) {
        return new Operation<>(label, Set.of(covers), needs, prepare.andThen(List::of));
    }

    private static AsyncCounter counter(Stage stage, String name) {
        return stage.acting().counter(name).async();
    }

    private static AsyncSequence sequence(Stage stage, String name) {
        return stage.acting().sequence(name).async();
    }

    private static Part add(Stage stage, String name, long total, long delta) {
        return new Part(
                () -> counter(stage, name).add(delta),
                () -> total(stage, name),
                total,
                total + delta,
                null,
                token -> stage.observing().counter(name).async().add(delta, token),
                false);
    }

    private static Part addOnce(Stage stage, String name, long total, long delta) {
        IdempotencyToken token = IdempotencyToken.random();
        return new Part(
                () -> counter(stage, name).add(delta, token),
                () -> total(stage, name),
                total,
                total + delta,
                token,
                again -> stage.observing().counter(name).async().add(delta, again),
                false);
    }

    /** Returns an add to a sealed counter. Its state is never the one after it. */
    private static Part refusedAdd(Stage stage) {
        String name = stage.counter(5);
        stage.observing().counter(name).seal(ELSEWHERE);
        IdempotencyToken token = IdempotencyToken.random();
        return new Part(
                () -> counter(stage, name).add(1, token),
                () -> total(stage, name),
                5L,
                "applied although it has to be refused",
                token,
                null,
                false);
    }

    /** Returns an add that was applied before. */
    private static Part repeatedAdd(Stage stage) {
        String name = stage.counter(5);
        IdempotencyToken token = IdempotencyToken.random();
        stage.observing().counter(name).add(1, token);
        return new Part(() -> counter(stage, name).add(1, token), () -> total(stage, name), 6L, 6L, token, null, false);
    }

    /** Returns an append that does not fit its subject. Its state is never the one after it. */
    private static Part refusedAppend(Stage stage, String name) {
        IdempotencyToken token = IdempotencyToken.random();
        return new Part(
                () -> sequence(stage, name).append(Change.UPDATED, "absent", Map.of("mark", "refused"), token),
                () -> marks(stage.observing(), name, "refused"),
                0L,
                "applied although it has to be refused",
                token,
                null,
                false);
    }

    /** Returns an append that was applied before. */
    private static Part repeatedAppend(Stage stage, String name) {
        IdempotencyToken token = IdempotencyToken.random();
        stage.observing().sequence(name).append(Map.of("mark", "before"), token);
        return new Part(
                () -> sequence(stage, name).append(Map.of("mark", "before"), token),
                () -> marks(stage.observing(), name, "before"),
                1L,
                1L,
                token,
                null,
                false);
    }

    private static Part append(Stage stage, String name, String mark) {
        Map<String, String> fields = Map.of("mark", mark);
        return new Part(
                () -> sequence(stage, name).append(fields),
                () -> marks(stage.observing(), name, mark),
                0L,
                1L,
                null,
                token -> stage.observing().sequence(name).async().append(fields, token),
                false);
    }

    private static Part appendOnce(Stage stage, String name, String mark) {
        IdempotencyToken token = IdempotencyToken.random();
        Map<String, String> fields = Map.of("mark", mark);
        return new Part(
                () -> sequence(stage, name).append(fields, token),
                () -> marks(stage.observing(), name, mark),
                0L,
                1L,
                token,
                again -> stage.observing().sequence(name).async().append(fields, again),
                false);
    }

    private static Part revise(Stage stage, Change change) {
        String name = threeEntries(stage);
        String subject = change == Change.ADDED ? "new" : "live";
        Map<String, String> fields = Map.of("mark", "a");
        return new Part(
                () -> sequence(stage, name).append(change, subject, fields),
                () -> marks(stage.observing(), name, "a"),
                0L,
                1L,
                null,
                token -> stage.observing().sequence(name).async().append(change, subject, fields, token),
                false);
    }

    private static long total(Stage stage, String name) {
        return stage.observing().counter(name).get();
    }

    /**
     * Returns a reader of the total that adds 2 after its first read, so that a change that takes effect later is
     * visible.
     */
    private static Supplier<Long> clearable(Stage stage, String name) {
        AtomicLong added = new AtomicLong();
        return () -> {
            long total = total(stage, name) - added.get();
            if (added.compareAndSet(0, 2)) {
                stage.observing().counter(name).add(2);
            }
            return total;
        };
    }

    private static boolean isSealed(Stage stage, Kind kind, String name) {
        return stage.observingBackend()
                        .migration()
                        .states(kind, List.of(name), stage.commits().get())
                        .join()
                        .get(0)
                        .seal()
                != null;
    }

    /** Returns the number of entries with this mark. Checks that the sequence has no gap and the correct live count. */
    private static long marks(Counters counters, String name, String mark) {
        Sequence sequence = counters.sequence(name);
        List<Entry> entries = SequenceHistory.all(sequence);
        SequenceHistory.checkOneTo(
                sequence.last(), entries.stream().map(Entry::number).toList(), "the numbers of the entries");
        assertThat(sequence.liveCount())
                .as("the live count")
                .isEqualTo(entries.stream()
                        .mapToLong(entry -> entry.change().delta())
                        .sum());
        return entries.stream()
                .filter(entry -> mark.equals(entry.fields().get("mark")))
                .count();
    }

    private static String threeEntries(Stage stage) {
        String name = stage.name();
        Sequence sequence = stage.observing().sequence(name);
        sequence.append(Map.of());
        sequence.append(Map.of("secret", "x"));
        sequence.append(Change.ADDED, "live", Map.of());
        return name;
    }

    private static String imported(Stage stage) {
        String name = stage.name();
        stage.observingBackend()
                .migration()
                .importBase(
                        Kind.SEQUENCE,
                        name,
                        new ImportedState(ELSEWHERE, true, 3, 40),
                        stage.commits().get())
                .join();
        return name;
    }

    private static Entry copied(long number) {
        Instant then = Instant.parse("2009-11-16T08:09:10.123Z").plusMillis(number);
        return new Entry(number, then, Change.ADDED, "s" + number, Map.of("a", number), number, false);
    }
}
