package io.counterkit.tck.chapter.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counter;
import io.counterkit.CounterOverflowException;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Futures;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Chapter 13: importing names. */
public abstract class ImportingChapter extends MigrationChapter {
    @Test
    @Rule(
            value = "13.1",
            lookAt = "Capability.IMPORT; how the end of a sequence is found if its entries are in another store")
    final void spec1301_nameBeginsWithItsBase() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        for (long total : new long[] {5, 0, -7, (1L << 60) + 1}) {
            Counter counter = counter();
            assertThat(into.refusalOf(Kind.COUNTER, counter.name()))
                    .as("why the store can never import a counter that it imports")
                    .isNull();
            assertImport(into, Kind.COUNTER, counter.name(), total(total), total(total));
            assertTotal(counter, total);
            elsewhere(counter).add(2);
            assertTotal(counter, total + 2);
            awaitLists(() ->
                    assertThat(ListedNames.ofCounters(there(), counter.name())).containsExactly(counter.name()));
            counter.reset();
            assertThat(elsewhere(counter).get())
                    .as("the total of an imported counter that was reset")
                    .isZero();
            elsewhere(counter).add(3);
            assertTotal(counter, 3);
        }
        List.of(Limits.MAX_TOTAL + 1, -Limits.MAX_TOTAL - 1, Long.MAX_VALUE, Long.MIN_VALUE)
                .forEach(total -> beginOutOfRange(into, total));
        for (long last : new long[] {1, 2, 3, 40, 1_000_000}) {
            Sequence sequence = sequence();
            assertThat(into.refusalOf(Kind.SEQUENCE, sequence.name()))
                    .as("why the store can never import a sequence that it imports")
                    .isNull();
            assertImport(into, Kind.SEQUENCE, sequence.name(), end(last, 1), end(last, 1));
            assertTailElsewhere(sequence, new Tail(last, 1, null));
            Entry next = sequence.append(Map.of("a", "b"));
            assertThat(next.number()).as("the number of the entry").isEqualTo(last + 1);
            assertThat(next.liveCount()).as("the live count").isEqualTo(2);
            appendNumberElsewhere(sequence, last + 2);
            assertTailElsewhere(sequence.name(), new Tail(last + 2, 3, null));
            assertThat(entry(sequence, last + 1)).as("the entry that is read").isEqualTo(next);
            awaitLists(() -> assertThat(ListedNames.ofSequences(there(), sequence.name()))
                    .containsExactly(sequence.name()));
        }
    }

    /** Imports a total that is out of range, as it was sealed in the other store. */
    private void beginOutOfRange(MigrationStore into, long total) {
        Counter counter = counter();
        assertImport(into, Kind.COUNTER, counter.name(), total(total), total(total));
        for (int adds = 0; adds < 3; adds++) {
            assertThatExceptionOfType(CounterOverflowException.class)
                    .as("the read of an imported total of %s after %s adds that lead away from 0", total, adds)
                    .isThrownBy(elsewhere(counter)::get);
            counter.add(Long.signum(total));
        }
        assertThat(backend()
                        .migration()
                        .bases(Kind.COUNTER, List.of(counter.name()), commit())
                        .join())
                .containsExactly(Optional.of(total(total)));
        if (Math.abs(total) == Limits.MAX_TOTAL + 1) {
            counter.add(-5L * Long.signum(total));
            assertThat(elsewhere(counter).get())
                    .as(
                            "the total of a counter that was imported with %s, after adds that lead back into the"
                                    + " range",
                            total)
                    .isEqualTo(total - 2L * Long.signum(total));
        }
        elsewhere(counter).reset();
        counter.add(4);
        assertThat(elsewhere(counter).get())
                .as("the total of a counter that was imported with %s, after a reset and an add of 4", total)
                .isEqualTo(4);
    }

    @Test
    @Rule(value = "13.3", lookAt = "whether an import distinguishes a name in use from an imported name")
    final void spec1303_nameInUseIsRefused() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        for (ImportedState base : List.of(total(5), total(0), ABSENT)) {
            Counter counter = counter(3);
            Counter zero = counter(0);
            assertNotApplied(importing(into, Kind.COUNTER, counter.name(), base));
            assertNotApplied(importing(into, Kind.COUNTER, zero.name(), base));
            assertTotalElsewhere(counter, 3);
            assertTotalElsewhere(zero, 0);
            assertThat(into.bases(Kind.COUNTER, List.of(counter.name(), zero.name()), commit())
                            .join())
                    .containsExactly(Optional.empty(), Optional.empty());
        }
        for (ImportedState base : List.of(end(40, 17), end(1, 1), ABSENT)) {
            Sequence sequence = sequence();
            sequence.next();
            assertNotApplied(importing(into, Kind.SEQUENCE, sequence.name(), base));
            assertTailElsewhere(sequence, new Tail(1, 1, null));
            appendNumberElsewhere(sequence, 2);
        }
    }

    @Test
    @Rule(
            value = "13.17",
            lookAt =
                    "the collation and the length of the column or key that holds an imported subject, and of the value"
                            + " with which it is looked up")
    final void spec1317_importedSubjectsThatDifferAreDifferent() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        MigrationStore other = backend().migration();
        String name = SimilarTexts.filled(name(), Limits.MAX_NAME_BYTES);
        imported(into, Kind.SEQUENCE, name, end(40, 17));
        List<String> subjects = SimilarTexts.family("s", Limits.MAX_NAME_BYTES, random);
        Futures.join(Futures.inGroups(
                LongStream.range(0, subjects.size()).boxed().toList(),
                20,
                i -> into.importSubject(name, subjects.get(i.intValue()), i % 2 == 0, commit())));
        List<Optional<Boolean>> isLive =
                Futures.join(Futures.inGroups(subjects, 20, subject -> other.subject(name, subject, commit())));
        for (int i = 0; i < subjects.size(); i++) {
            assertThat(isLive.get(i))
                    .as("whether the subject '%s' is live", subjects.get(i))
                    .contains(i % 2 == 0);
        }
        assertThat(other.subject(name, "S0", commit()).join()).isEmpty();
    }
}
