package io.counterkit.tck.chapter.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.model.ListedNames;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 13: an import is remembered, and only the first one counts. */
public abstract class RememberedImportChapter extends MigrationChapter {
    @Test
    @Rule(value = "13.2", lookAt = "what an import does and returns if the name was imported before")
    final void spec1302_nameIsImportedOnce() {
        if (refusesToImport()) {
            return;
        }
        Counter counter = counter();
        Sequence sequence = sequence();
        imported(backend().migration(), Kind.COUNTER, counter.name(), total(5));
        imported(backend().migration(), Kind.SEQUENCE, sequence.name(), end(40, 17));
        for (int round = 1; round <= 2; round++) {
            MigrationStore another = backend().migration();
            assertImport(another, Kind.COUNTER, counter.name(), total(5), total(5));
            assertImport(another, Kind.COUNTER, counter.name(), new ImportedState("another", true, 9, 0), total(5));
            assertImport(another, Kind.COUNTER, counter.name(), ABSENT, total(5));
            assertImport(another, Kind.SEQUENCE, sequence.name(), end(99, 3), end(40, 17));
            assertImport(another, Kind.SEQUENCE, sequence.name(), ABSENT, end(40, 17));
            elsewhere(counter).add(1);
            elsewhere(sequence).next();
            assertTotal(counter, 5 + round);
            assertTail(sequence, new Tail(40 + round, 17 + round, null));
        }
        List<String> names = List.of(sequence.name(), counter.name());
        MigrationStore another = backend().migration();
        assertThat(another.bases(Kind.COUNTER, names, commit()).join())
                .containsExactly(Optional.empty(), Optional.of(total(5)));
        assertThat(another.bases(Kind.SEQUENCE, names, commit()).join())
                .containsExactly(Optional.of(end(40, 17)), Optional.empty());
    }

    @Test
    @Rule(value = "13.4", lookAt = "where the import of a counter is recorded: not in the counter")
    final void spec1304_importIsRememberedWhenTheCounterIsDeleted() {
        if (refusesToImport()) {
            return;
        }
        Counter counter = counter();
        imported(backend().migration(), Kind.COUNTER, counter.name(), total(5));
        counter.delete();
        MigrationStore another = backend().migration();
        assertImport(another, Kind.COUNTER, counter.name(), total(5), total(5));
        assertTotalElsewhere(counter, 0);
        assertThat(another.bases(Kind.COUNTER, List.of(counter.name()), commit())
                        .join())
                .containsExactly(Optional.of(total(5)));
        counter.add(1);
        assertImport(another, Kind.COUNTER, counter.name(), total(5), total(5));
        assertTotalElsewhere(counter, 1);
    }

    @Test
    @Rule(
            value = "13.5",
            lookAt = "what the import of an absent name stores: only that it was imported, and not in the counter")
    final void spec1305_absentNameStaysAbsent() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        Counter counter = counter();
        Sequence sequence = sequence();
        assertImport(into, Kind.COUNTER, counter.name(), ABSENT, ABSENT);
        assertImport(into, Kind.SEQUENCE, sequence.name(), ABSENT, ABSENT);
        assertTotalElsewhere(counter, 0);
        assertTailElsewhere(sequence, Tail.EMPTY);
        awaitLists(() -> {
            assertThat(ListedNames.ofCounters(there(), counter.name()))
                    .as("the listed names")
                    .isEmpty();
            assertThat(ListedNames.ofSequences(there(), sequence.name()))
                    .as("the listed names")
                    .isEmpty();
        });
        MigrationStore another = backend().migration();
        assertThat(another.states(Kind.COUNTER, List.of(counter.name()), commit())
                        .join())
                .containsExactly(new NameState(false, null, null));
        assertImport(another, Kind.COUNTER, counter.name(), total(5), ABSENT);
        assertImport(another, Kind.SEQUENCE, sequence.name(), end(40, 17), ABSENT);
        elsewhere(counter).add(2);
        assertTotal(counter, 2);
        counter.delete();
        assertThat(imported(another, Kind.COUNTER, counter.name(), total(5)))
                .as("the state of a counter that was imported as absent, added to and deleted")
                .isEqualTo(ABSENT);
        assertTotalElsewhere(counter, 0);
        appendNumberElsewhere(sequence, 1);
        appendNumber(sequence, 2);
    }

    @Test
    @Rule(value = "13.6", lookAt = "whether two concurrent imports can both be the first")
    final void spec1306_ofManyImportsOneIsFirst() throws Exception {
        if (refusesToImport()) {
            return;
        }
        List<MigrationStore> processes =
                Stream.generate(() -> backend().migration()).limit(4).toList();
        for (int round = 0; round < 5; round++) {
            Counter counter = counter();
            Sequence sequence = sequence();
            List<ImportedState> totals = tasks().callAtOnce(4, thread -> {
                ImportedState base = imported(
                        processes.get(thread),
                        Kind.COUNTER,
                        counter.name(),
                        new ImportedState("o" + thread, true, 10, 0));
                (thread % 2 == 0 ? counter : elsewhere(counter)).increment();
                return base;
            });
            assertThat(totals.stream().distinct()).hasSize(1);
            assertTotalElsewhere(counter, 14);
            List<ImportedState> ends = tasks().callAtOnce(4, thread -> {
                ImportedState base =
                        imported(processes.get(thread), Kind.SEQUENCE, sequence.name(), end(40 + thread, 1));
                (thread % 2 == 0 ? sequence : elsewhere(sequence)).next();
                return base;
            });
            assertThat(ends.stream().distinct()).hasSize(1);
            long last = ends.get(0).last();
            assertTailElsewhere(sequence, new Tail(last + 4, 5, null));
            assertThat(sequence.read(1, 100))
                    .extracting(Entry::number)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(last + 1, last + 4).boxed().toList());
        }
    }
}
