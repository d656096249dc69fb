package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The changes of the SPI that bring a name from another store, for runs with faults. */
final class MigrationChanges {
    private static final String ELSEWHERE = "elsewhere";

    private MigrationChanges() {}

    static List<Operation<List<Part>>> all() {
        List<Operation<List<Part>>> all = new ArrayList<>();
        all.add(base("an import of a counter", Kind.COUNTER, new ImportedState(ELSEWHERE, true, 7, 0), Changes::total));
        all.add(base(
                "an import of a sequence",
                Kind.SEQUENCE,
                new ImportedState(ELSEWHERE, true, 3, 40),
                (stage, name) -> stage.observing().sequence(name).last()));
        all.add(change("an import of a subject", "MigrationStore.importSubject", stage -> {
            String name = imported(stage);
            return Part.repeatable(
                    stage,
                    commit -> stage.actingBackend().migration().importSubject(name, "s", true, commit),
                    () -> stage.observingBackend()
                            .migration()
                            .subject(name, "s", stage.commit())
                            .join()
                            .orElse(false),
                    false,
                    true);
        }));
        all.add(change("a copy of entries", "MigrationStore.copy", stage -> {
            String name = imported(stage);
            List<Entry> entries = List.of(copied(1), copied(2), copied(40));
            return Part.repeatable(
                    stage,
                    commit -> stage.actingBackend().migration().copy(name, entries, commit),
                    () -> stage.observing().sequence(name).read(1, 40),
                    List.of(),
                    entries);
        }));
        return all;
    }

    private static Operation<List<Part>> change(String label, String covers, Function<Stage, Part> prepare) {
        return Changes.change(label, covers, Set.of(Capability.IMPORT), prepare);
    }

    /** Returns the import of the state of a name, which is read as 0 before, and as the state's number afterwards. */
    private static Operation<List<Part>> base(
            String label, Kind kind, ImportedState state, BiFunction<Stage, String, Long> number) {
        return change(label, "MigrationStore.importBase", stage -> {
            String name = stage.name();
            return Part.repeatable(
                    stage,
                    commit -> stage.actingBackend()
                            .migration()
                            .importBase(kind, name, state, commit)
                            .thenAccept(first -> assertThat(first)
                                    .as("the state that the import returned")
                                    .isEqualTo(state)),
                    () -> number.apply(stage, name),
                    0L,
                    kind == Kind.COUNTER ? state.value() : state.last());
        });
    }

    private static String imported(Stage stage) {
        String name = stage.name();
        stage.observingBackend()
                .migration()
                .importBase(Kind.SEQUENCE, name, new ImportedState(ELSEWHERE, true, 3, 40), stage.commit())
                .join();
        return name;
    }

    private static Entry copied(long number) {
        Instant then = Instant.parse("2009-11-16T08:09:10.123Z").plusMillis(number);
        return new Entry(number, then, Change.ADDED, "s" + number, Map.of("a", number), number, false);
    }
}
