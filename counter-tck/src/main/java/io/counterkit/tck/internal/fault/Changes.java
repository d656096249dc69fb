package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.AsyncCounter;
import io.counterkit.AsyncSequence;
import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Limits;
import io.counterkit.tck.internal.model.SequenceHistory;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The changes of the SPI, for runs with faults. The kit's own build fails if a change of the SPI is missing here. */
public final class Changes {
    private static final String ELSEWHERE = "elsewhere";

    private Changes() {}

    /** Returns all changes, and batches that are sent below the API layer, so that its deadline ends no held call. */
    public static List<Operation<List<Part>>> withBatches() {
        return Stream.concat(all().stream(), BatchChanges.all().stream()).toList();
    }

    /** Returns all changes. */
    public static List<Operation<List<Part>>> all() {
        List<Operation<List<Part>>> all = new ArrayList<>();
        all.add(counter("an add", stage -> List.of(add(stage, stage.counter(5), 5, 1, null))));
        all.add(counter("a first add", stage -> List.of(add(stage, stage.name(), 0, 1, null))));
        all.add(counter(
                "an add with a token",
                stage -> List.of(add(stage, stage.counter(5), 5, 1, IdempotencyToken.random()))));
        all.add(counter("an add to a counter with the longest name", stage -> {
            String name = SimilarTexts.filled(stage.name(), Limits.MAX_NAME_BYTES);
            return List.of(add(stage, name, 0, -Limits.MAX_DELTA, null));
        }));
        all.add(counter(
                "concurrent adds to several counters",
                stage -> List.of(
                        add(stage, stage.counter(5), 5, 1, null),
                        add(stage, stage.counter(-5), -5, -2, null),
                        add(stage, stage.counter(0), 0, 7, IdempotencyToken.random()),
                        add(stage, stage.name(), 0, 3, null))));
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
                    () -> sealed(counter(stage, name).seal(ELSEWHERE), 5),
                    () -> isSealed(stage, Kind.COUNTER, name),
                    false,
                    true);
        }));
        all.add(sequence("an append", stage -> List.of(append(stage, threeEntries(stage), "a", null))));
        all.add(sequence("a first append", stage -> List.of(append(stage, stage.name(), "a", null))));
        all.add(sequence(
                "an append with a token",
                stage -> List.of(append(stage, threeEntries(stage), "a", IdempotencyToken.random()))));
        all.add(sequence("concurrent appends", stage -> {
            String name = threeEntries(stage);
            return List.of(
                    append(stage, name, "a", null),
                    append(stage, name, "b", IdempotencyToken.random()),
                    append(stage, name, "c", null));
        }));
        for (Change change : Change.values()) {
            all.add(sequence(
                    "an append with the " + change.noun() + " of a subject", stage -> List.of(revise(stage, change))));
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
            return Part.of(() -> sealed(sequence(stage, name).seal(ELSEWHERE), 3), isSealed, false, true);
        }));
        all.addAll(MigrationChanges.all());
        return all;
    }

    /** Checks the seal that is returned. */
    private static CompletableFuture<Void> sealed(CompletableFuture<Seal> answer, long last) {
        return answer.thenAccept(
                seal -> assertThat(seal).as("the seal returned").isEqualTo(new Seal(ELSEWHERE, last, last)));
    }

    /** Checks the entry that is returned. */
    private static CompletableFuture<Void> appended(CompletableFuture<Entry> answer, Map<String, String> fields) {
        return answer.thenAccept(entry -> assertThat(entry.fields())
                .as("the fields of the entry returned")
                .isEqualTo(fields));
    }

    private static Operation<List<Part>> counter(String label, Function<Stage, List<Part>> prepare) {
        return new Operation<>(label, Set.of("CounterStore.add"), Set.of(), prepare);
    }

    private static Operation<List<Part>> sequence(String label, Function<Stage, List<Part>> prepare) {
        return new Operation<>(label, Set.of("SequenceStore.append"), Set.of(), prepare);
    }

    static Operation<List<Part>> change(
            String label, String covers, Set<Capability> needs, Function<Stage, Part> prepare) {
        return new Operation<>(label, Set.of(covers), needs, prepare.andThen(List::of));
    }

    private static AsyncCounter counter(Stage stage, String name) {
        return stage.acting().counter(name).async();
    }

    private static AsyncSequence sequence(Stage stage, String name) {
        return stage.acting().sequence(name).async();
    }

    private static Part add(Stage stage, String name, long total, long delta, @Nullable IdempotencyToken token) {
        return new Part(
                () -> token == null
                        ? counter(stage, name).add(delta)
                        : counter(stage, name).add(delta, token),
                () -> total(stage, name),
                total,
                total + delta,
                token,
                again -> stage.observing().counter(name).async().add(delta, again),
                null);
    }

    private static Part append(Stage stage, String name, String mark, @Nullable IdempotencyToken token) {
        Map<String, String> fields = Map.of("mark", mark);
        return new Part(
                () -> appended(
                        token == null
                                ? sequence(stage, name).append(fields)
                                : sequence(stage, name).append(fields, token),
                        fields),
                () -> marks(stage.observing(), name, mark),
                0L,
                1L,
                token,
                again -> appended(stage.observing().sequence(name).async().append(fields, again), fields),
                null);
    }

    private static Part revise(Stage stage, Change change) {
        String name = threeEntries(stage);
        String subject = change == Change.ADDED ? "new" : "live";
        Map<String, String> fields = Map.of("mark", "a");
        return new Part(
                () -> appended(sequence(stage, name).append(change, subject, fields), fields),
                () -> marks(stage.observing(), name, "a"),
                0L,
                1L,
                null,
                token -> stage.observing().sequence(name).async().append(change, subject, fields, token),
                null);
    }

    static long total(Stage stage, String name) {
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
                        .states(kind, List.of(name), stage.commit())
                        .join()
                        .get(0)
                        .seal()
                != null;
    }

    /** Returns the number of entries with this mark. Checks that the sequence has no gap and the correct live count. */
    static long marks(Counters counters, String name, String mark) {
        Sequence sequence = counters.sequence(name);
        Tail tail = sequence.tail(); // other parts of the change may be appended late, while this reads
        List<Entry> entries = SequenceHistory.all(sequence).stream()
                .filter(entry -> entry.number() <= tail.last())
                .toList();
        SequenceHistory.checkOneTo(
                tail.last(), entries.stream().map(Entry::number).toList(), "the numbers of the entries");
        assertThat(tail.liveCount())
                .as("the live count")
                .isEqualTo(entries.stream()
                        .mapToLong(entry -> entry.change().delta())
                        .sum());
        return entries.stream()
                .filter(entry -> mark.equals(entry.fields().get("mark")))
                .count();
    }

    static String threeEntries(Stage stage) {
        String name = stage.name();
        Sequence sequence = stage.observing().sequence(name);
        sequence.append(Map.of());
        sequence.append(Map.of("secret", "x"));
        sequence.append(Change.ADDED, "live", Map.of());
        return name;
    }
}
