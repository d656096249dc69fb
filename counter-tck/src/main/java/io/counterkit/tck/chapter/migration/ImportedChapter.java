package io.counterkit.tck.chapter.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.Trial;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Chapter 13, continued: subjects, copied entries, and imports whose calls fail. */
public abstract class ImportedChapter extends MigrationChapter {
    private static final Instant BEFORE_1970 = Instant.parse("1969-12-31T23:59:58.999Z");

    /** The most entries of one copy. */
    private static final int LARGE = 100;

    @Test
    @Rule(value = "13.7", lookAt = "what an append and an import store for a subject")
    final void spec1307_importedSubjectIsKeptUnlessItIsKnown() {
        if (refusesToMigrate()) {
            return;
        }
        MigrationStore into = backend().migration();
        Sequence sequence = sequence();
        String name = sequence.name();
        sequence.append(Change.ADDED, "live", Map.of());
        sequence.append(Change.ADDED, "gone", Map.of());
        sequence.append(Change.REMOVED, "gone", Map.of());
        assertThat(into.subject(name, "live", commit()).join()).contains(true);
        assertThat(into.subject(name, "gone", commit()).join()).contains(false);
        assertThat(into.subject(name, "other", commit()).join()).isEmpty();
        assertThat(into.subject(name(), "live", commit()).join()).isEmpty();
        if (refusesToImport()) {
            return;
        }
        Sequence moved = sequence();
        imported(into, Kind.SEQUENCE, moved.name(), end(40, 17));
        into.importSubject(moved.name(), "live", true, commit()).join();
        into.importSubject(moved.name(), "gone", false, commit()).join();
        assertThat(into.subject(moved.name(), "live", commit()).join()).contains(true);
        assertThat(into.subject(moved.name(), "gone", commit()).join()).contains(false);
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> elsewhere(moved).append(Change.ADDED, "live", Map.of()));
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> elsewhere(moved).append(Change.UPDATED, "gone", Map.of()));
        moved.append(Change.REMOVED, "live", Map.of());
        moved.append(Change.ADDED, "gone", Map.of());
        moved.append(Change.ADDED, "new", Map.of());
        MigrationStore another = backend().migration();
        another.importSubject(moved.name(), "live", true, commit()).join();
        another.importSubject(moved.name(), "gone", false, commit()).join();
        another.importSubject(moved.name(), "new", false, commit()).join();
        for (MigrationStore process : List.of(into, another)) {
            assertThat(process.subject(moved.name(), "live", commit()).join()).contains(false);
            assertThat(process.subject(moved.name(), "gone", commit()).join()).contains(true);
            assertThat(process.subject(moved.name(), "new", commit()).join()).contains(true);
        }
        assertTailElsewhere(moved, new Tail(43, 18, null));
        if (declares(Capability.SEAL_SEQUENCES)) {
            moved.seal(ELSEWHERE);
            into.importSubject(moved.name(), "late", true, commit()).join();
            assertThat(another.subject(moved.name(), "late", commit()).join())
                    .as("whether the subject that was imported after the seal is live")
                    .contains(true);
        }
    }

    @Test
    @Rule(
            value = "13.8",
            lookAt = "where copied entries are kept; which fields they have; what is stored for an entry without a"
                    + " subject or without fields; what a copy does if the entry exists; whether a number"
                    + " is compared with the last one as an integer")
    final void spec1308_copiedEntriesAreReadUnchanged() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        Sequence sequence = sequence();
        String name = sequence.name();
        imported(into, Kind.SEQUENCE, name, end(40, 17));
        Entry next = sequence.append(Map.of("a", 1L));
        Entry two = entry(2, Map.of("text", "x", "bytes", new byte[] {1, 2}));
        Entry removed = new Entry(39, BEFORE_1970, Change.REMOVED, "s2", Map.of(), 16, false);
        Entry last = entry(40, Map.of("secret", "x")).withoutFields();
        assertNotApplied(into.copy(name, List.of(two, entry(41, Map.of("a", 2L))), commit()));
        assertNotApplied(into.copy(name, List.of(entry(42, Map.of("a", 2L))), commit()));
        assertThat(elsewhere(sequence).read(1, 100)).containsExactly(next);
        into.copy(name, List.of(two, removed, last), commit()).join();
        assertThat(elsewhere(sequence).read(1, 100)).containsExactly(two, removed, last, next);
        assertThat(elsewhere(sequence).read(3, 38)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> elsewhere(sequence).erase(1))
                .withMessageContaining("1");
        sequence.erase(2);
        Entry one = entry(1, Map.of("b", true));
        List<Entry> again = List.of(two, one, entry(39, Map.of("other", 1L)), entry(40, Map.of("secret", "x")));
        into.copy(name, again, commit()).join();
        elsewhere(sequence).erase(1);
        backend().migration().copy(name, List.of(one), commit()).join();
        into.copy(name, List.of(), commit()).join();
        assertThat(elsewhere(sequence).read(1, 100))
                .containsExactly(one.withoutFields(), two.withoutFields(), removed, last, next);
        assertTailElsewhere(name, new Tail(41, 18, null));
        appendNumberElsewhere(sequence, 42);
        copyUnusualEntries(into);
        copyFarApart(into);
        if (declares(Capability.SEAL_SEQUENCES)) {
            sequence.seal(ELSEWHERE);
            Entry late = entry(3, Map.of("c", "x"));
            into.copy(name, List.of(late), commit()).join();
            assertThat(elsewhere(sequence).read(3, 3))
                    .as("the entry that was copied after the seal")
                    .containsExactly(late);
        }
        String large = name();
        imported(into, Kind.SEQUENCE, large, end(1L << 53, 17));
        assertNotApplied(into.copy(large, List.of(entry((1L << 53) + 1, Map.of("a", 1L))), commit()));
    }

    /** Copies entries that are further apart than the numbers of one part of a read. */
    private void copyFarApart(MigrationStore into) {
        Sequence sequence = sequence();
        imported(into, Kind.SEQUENCE, sequence.name(), end(2_500, 17));
        Entry first = entry(2, Map.of("a", 1L));
        Entry second = entry(950, Map.of("a", 2L));
        Entry third = entry(1_700, Map.of("a", 3L));
        into.copy(sequence.name(), List.of(first, second, third), commit()).join();
        Entry next = sequence.append(Map.of("a", 4L));
        Sequence elsewhere = elsewhere(sequence);
        assertThat(elsewhere.read(1, 1_000)).as("entries 1 to 1,000").containsExactly(first, second);
        assertThat(elsewhere.read(951, 1_950)).as("entries 951 to 1,950").containsExactly(third);
        assertThat(elsewhere.read(1_701, 2_500)).as("entries 1,701 to 2,500").isEmpty();
        assertThat(elsewhere.read(1_701, 2_700)).as("entries 1,701 to 2,700").containsExactly(next);
    }

    private void copyUnusualEntries(MigrationStore into) {
        List<Entry> entries = UnusualEntries.all();
        Sequence sequence = sequence();
        imported(into, Kind.SEQUENCE, sequence.name(), end(entries.size(), 17));
        into.copy(sequence.name(), entries, commit()).join();
        assertThat(elsewhere(sequence).read(1, entries.size())).isEqualTo(entries);
        entries.forEach(entry -> assertThat(entry(sequence, entry.number())).isEqualTo(entry));
    }

    @Test
    @Rule(value = "13.9", lookAt = "what an import does after an error with an unknown outcome")
    final void spec1309_importThatFailsCanBeSentAgain() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        sweepFailures(this::counter, (counter, trial) -> {
            boolean applied = isImported(into, Kind.COUNTER, counter.name(), total(5), trial);
            assertThat(elsewhere(counter).get())
                    .as("%s: the total", trial.reported(applied))
                    .isEqualTo(applied ? 5 : 0);
            assertImport(into, Kind.COUNTER, counter.name(), total(5), total(5));
            assertThat(elsewhere(counter).get())
                    .as("%s: the total", trial.reported(applied))
                    .isEqualTo(5);
        });
        sweepFailures(this::sequence, (sequence, trial) -> {
            boolean applied = isImported(into, Kind.SEQUENCE, sequence.name(), end(40, 17), trial);
            assertThat(elsewhere(sequence).tail())
                    .as("%s: the tail", trial.reported(applied))
                    .isEqualTo(applied ? new Tail(40, 17, null) : Tail.EMPTY);
            assertImport(into, Kind.SEQUENCE, sequence.name(), end(40, 17), end(40, 17));
            assertThat(elsewhere(sequence).next())
                    .as("%s: the next number", trial.reported(applied))
                    .isEqualTo(41);
        });
        List<Entry> entries = List.of(entry(1, Map.of("a", 1L)), entry(7, Map.of()), entry(40, Map.of()));
        sweepFailures(() -> moved(into), (sequence, trial) -> {
            trial.applyOrRepeat(() -> into.copy(sequence.name(), entries, commit()));
            assertThat(elsewhere(sequence).read(1, 40))
                    .as("%s: the entries", trial)
                    .isEqualTo(entries);
        });
        sweepFailures(() -> moved(into), (sequence, trial) -> {
            trial.applyOrRepeat(() -> into.importSubject(sequence.name(), "s", true, commit()));
            assertThat(into.subject(sequence.name(), "s", commit()).join())
                    .as("%s: whether the imported subject is live", trial)
                    .contains(true);
        });
    }

    private Sequence moved(MigrationStore into) {
        Sequence sequence = sequence();
        imported(into, Kind.SEQUENCE, sequence.name(), end(40, 17));
        return sequence;
    }

    /** Imports, and returns whether the import is stored; checks that a known outcome was reported correctly. */
    private boolean isImported(MigrationStore into, Kind kind, String name, ImportedState base, Trial trial) {
        Throwable failure = catchThrowable(() -> imported(into, kind, name, base));
        trial.close();
        boolean isStored =
                into.bases(kind, List.of(name), commit()).join().get(0).isPresent();
        if (failure == null || failure.getCause() instanceof NotAppliedException) {
            assertThat(isStored)
                    .as("%s: whether the import is stored", trial.reported(failure == null))
                    .isEqualTo(failure == null);
        }
        return isStored;
    }

    @Test
    @Rule(
            value = "13.18",
            lookAt = "the limits of a statement, a request or a commit of the store: split a copy, and a read")
    final void spec1318_largestEntriesAreCopiedAtOnce() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        String name = name();
        imported(into, Kind.SEQUENCE, name, end(2L * LARGE, 17));
        int room = Limits.MAX_FIELDS_BYTES / Limits.MAX_FIELDS - "f99".length();
        List<Entry> entries = new ArrayList<>();
        for (int i = 1; i <= LARGE; i++) {
            entries.add(entry(i, Map.of("bytes", bytes(Limits.MAX_FIELDS_BYTES - "bytes".length()))));
        }
        for (int i = 1; i <= LARGE; i++) {
            entries.add(entry(
                    LARGE + i,
                    IntStream.range(0, Limits.MAX_FIELDS)
                            .boxed()
                            .collect(Collectors.<Integer, String, Object>toMap(
                                    field -> "f" + field, field -> bytes(room)))));
        }
        into.copy(name, entries.subList(0, LARGE), commit()).join();
        into.copy(name, entries.subList(LARGE, 2 * LARGE), commit()).join();
        List<Entry> read = new ArrayList<>(there().sequence(name).read(1, LARGE));
        read.addAll(there().sequence(name).read(LARGE + 1, 2 * LARGE));
        assertThat(read).as("the copied entries").hasSameSizeAs(entries);
        for (int i = 0; i < entries.size(); i++) {
            assertThat(read.get(i).equals(entries.get(i)))
                    .as("whether entry %s is equal to the entry that was copied", i + 1)
                    .isTrue();
        }
        appendNumber(there().sequence(name), entries.size() + 1L);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
