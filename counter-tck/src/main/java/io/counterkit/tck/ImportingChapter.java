package io.counterkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Base;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Origin.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 13: importing, and what else a migration asks. Where it is not declared, each test proves that it is refused. */
public abstract class ImportingChapter extends Chapter {
    private static final String ELSEWHERE = "appengine";
    private static final Base ABSENT = new Base(ELSEWHERE, false, 0, 0);
    private static final List<StoreFault> FAILURES = List.of(StoreFault.FAIL_BEFORE, StoreFault.LOSE_REPLY);

    private static Base total(long total) {
        return new Base(ELSEWHERE, true, total, 0);
    }

    private static Base end(long last, long liveCount) {
        return new Base(ELSEWHERE, true, liveCount, last);
    }

    /** An entry of the other store. */
    private static Entry entry(long number, Map<String, Object> fields) {
        Instant then = Instant.parse("2009-11-16T08:09:10.123Z").plusMillis(number);
        return new Entry(number, then, Change.ADDED, "s" + number, fields, number, false);
    }

    private CompletableFuture<Base> importing(MigrationStore into, Kind kind, String name, Base base) {
        return into.importBase(kind, name, base, commit());
    }

    private Base imported(MigrationStore into, Kind kind, String name, Base base) {
        return importing(into, kind, name, base).join();
    }

    private static void assertNotApplied(CompletableFuture<?> refused) {
        assertThat(catchThrowable(refused::join))
                .as("the refusal of an import")
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NotAppliedException.class);
    }

    @Test
    @Rule(
            value = "13.1",
            lookAt = "Capability.IMPORT; and how the end of a sequence is found whose entries are elsewhere")
    final void spec1301_nameBeginsWithItsBase() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        for (long total : new long[] {5, 0, -7, (1L << 60) + 1}) {
            Counter counter = counter();
            assertThat(imported(into, Kind.COUNTER, counter.name(), total(total)))
                    .isEqualTo(total(total));
            assertThat(counter.get()).isEqualTo(total);
            elsewhere(counter).add(2);
            assertThat(counter.get()).isEqualTo(total + 2);
            awaitLists(() ->
                    assertThat(there().counterNames(counter.name()).names()).containsExactly(counter.name()));
        }
        for (long last : new long[] {1, 2, 3, 40, 1_000_000}) {
            Sequence sequence = sequence();
            assertThat(imported(into, Kind.SEQUENCE, sequence.name(), end(last, 1)))
                    .isEqualTo(end(last, 1));
            assertThat(elsewhere(sequence).tail()).isEqualTo(new Tail(last, 1, null));
            Entry next = sequence.append(Map.of("a", "b"));
            assertThat(next.number()).isEqualTo(last + 1);
            assertThat(next.liveCount()).isEqualTo(2);
            assertThat(elsewhere(sequence).next()).isEqualTo(last + 2);
            assertThat(there().sequence(sequence.name()).tail()).isEqualTo(new Tail(last + 2, 3, null));
            assertThat(entry(sequence, last + 1)).isEqualTo(next);
            awaitLists(() ->
                    assertThat(there().sequenceNames(sequence.name()).names()).containsExactly(sequence.name()));
        }
    }

    @Test
    @Rule(value = "13.2", lookAt = "what an import does that finds one, and what it returns then")
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
            assertThat(imported(another, Kind.COUNTER, counter.name(), total(5)))
                    .isEqualTo(total(5));
            assertThat(imported(another, Kind.COUNTER, counter.name(), new Base("another", true, 9, 0)))
                    .isEqualTo(total(5));
            assertThat(imported(another, Kind.COUNTER, counter.name(), ABSENT)).isEqualTo(total(5));
            assertThat(imported(another, Kind.SEQUENCE, sequence.name(), end(99, 3)))
                    .isEqualTo(end(40, 17));
            assertThat(imported(another, Kind.SEQUENCE, sequence.name(), ABSENT))
                    .isEqualTo(end(40, 17));
            elsewhere(counter).add(1);
            elsewhere(sequence).next();
            assertThat(counter.get()).isEqualTo(5 + round);
            assertThat(sequence.tail()).isEqualTo(new Tail(40 + round, 17 + round, null));
        }
        List<String> names = List.of(sequence.name(), counter.name());
        MigrationStore another = backend().migration();
        assertThat(another.bases(Kind.COUNTER, names, commit()).join())
                .containsExactly(Optional.empty(), Optional.of(total(5)));
        assertThat(another.bases(Kind.SEQUENCE, names, commit()).join())
                .containsExactly(Optional.of(end(40, 17)), Optional.empty());
    }

    @Test
    @Rule(value = "13.3", lookAt = "whether an import can tell a name that is in use from one that was imported")
    final void spec1303_nameInUseIsRefused() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        for (Base base : List.of(total(5), total(0), ABSENT)) {
            Counter counter = counter(3);
            Counter zero = counter(0);
            assertNotApplied(importing(into, Kind.COUNTER, counter.name(), base));
            assertNotApplied(importing(into, Kind.COUNTER, zero.name(), base));
            assertThat(elsewhere(counter).get()).isEqualTo(3);
            assertThat(elsewhere(zero).get()).isZero();
            assertThat(into.bases(Kind.COUNTER, List.of(counter.name(), zero.name()), commit())
                            .join())
                    .containsExactly(Optional.empty(), Optional.empty());
        }
        for (Base base : List.of(end(40, 17), end(1, 1), ABSENT)) {
            Sequence sequence = sequence();
            sequence.next();
            assertNotApplied(importing(into, Kind.SEQUENCE, sequence.name(), base));
            assertThat(elsewhere(sequence).tail()).isEqualTo(new Tail(1, 1, null));
            assertThat(elsewhere(sequence).next()).isEqualTo(2);
        }
    }

    @Test
    @Rule(value = "13.4", lookAt = "where it is remembered that a counter was imported: not in the counter")
    final void spec1304_importIsRememberedWhenTheCounterIsDeleted() {
        if (refusesToImport()) {
            return;
        }
        Counter counter = counter();
        imported(backend().migration(), Kind.COUNTER, counter.name(), total(5));
        counter.delete();
        MigrationStore another = backend().migration();
        assertThat(imported(another, Kind.COUNTER, counter.name(), total(5))).isEqualTo(total(5));
        assertThat(elsewhere(counter).get()).isZero();
        assertThat(another.bases(Kind.COUNTER, List.of(counter.name()), commit())
                        .join())
                .containsExactly(Optional.of(total(5)));
        counter.add(1);
        assertThat(imported(another, Kind.COUNTER, counter.name(), total(5))).isEqualTo(total(5));
        assertThat(elsewhere(counter).get()).isOne();
    }

    @Test
    @Rule(value = "13.5", lookAt = "what the import of an absent name stores besides the fact")
    final void spec1305_absentNameStaysAbsent() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        Counter counter = counter();
        Sequence sequence = sequence();
        assertThat(imported(into, Kind.COUNTER, counter.name(), ABSENT)).isEqualTo(ABSENT);
        assertThat(imported(into, Kind.SEQUENCE, sequence.name(), ABSENT)).isEqualTo(ABSENT);
        assertThat(elsewhere(counter).get()).isZero();
        assertThat(elsewhere(sequence).tail()).isEqualTo(Tail.EMPTY);
        awaitLists(() -> {
            assertThat(there().counterNames(counter.name()).names()).isEmpty();
            assertThat(there().sequenceNames(sequence.name()).names()).isEmpty();
        });
        MigrationStore another = backend().migration();
        assertThat(another.states(Kind.COUNTER, List.of(counter.name()), commit())
                        .join())
                .containsExactly(new NameState(false, null, null));
        assertThat(imported(another, Kind.COUNTER, counter.name(), total(5))).isEqualTo(ABSENT);
        assertThat(imported(another, Kind.SEQUENCE, sequence.name(), end(40, 17)))
                .isEqualTo(ABSENT);
        elsewhere(counter).add(2);
        assertThat(counter.get()).isEqualTo(2);
        assertThat(elsewhere(sequence).next()).isOne();
        assertThat(sequence.next()).isEqualTo(2);
    }

    @Test
    @Rule(value = "13.6", lookAt = "whether of two imports at once both can believe to be the first")
    final void spec1306_ofManyImportsOneIsFirst() throws Exception {
        if (refusesToImport()) {
            return;
        }
        List<MigrationStore> processes =
                Stream.generate(() -> backend().migration()).limit(4).toList();
        for (int round = 0; round < 5; round++) {
            Counter counter = counter();
            Sequence sequence = sequence();
            try (Crew crew = new Crew(fixture())) {
                List<Base> totals = crew.runAtOnce(4, thread -> {
                    Base base = imported(
                            processes.get(thread), Kind.COUNTER, counter.name(), new Base("o" + thread, true, 10, 0));
                    (thread % 2 == 0 ? counter : elsewhere(counter)).increment();
                    return base;
                });
                assertThat(totals.stream().distinct()).hasSize(1);
                assertThat(elsewhere(counter).get()).isEqualTo(14);
                List<Base> ends = crew.runAtOnce(4, thread -> {
                    Base base = imported(processes.get(thread), Kind.SEQUENCE, sequence.name(), end(40 + thread, 1));
                    (thread % 2 == 0 ? sequence : elsewhere(sequence)).next();
                    return base;
                });
                assertThat(ends.stream().distinct()).hasSize(1);
                long last = ends.get(0).last();
                assertThat(elsewhere(sequence).tail()).isEqualTo(new Tail(last + 4, 5, null));
                assertThat(sequence.read(1, 100))
                        .extracting(Entry::number)
                        .containsExactlyElementsOf(LongStream.rangeClosed(last + 1, last + 4)
                                .boxed()
                                .toList());
            }
        }
    }

    @Test
    @Rule(value = "13.7", lookAt = "what is stored of a subject by an append and by an import")
    final void spec1307_subjectIsAsItWasImportedUnlessItIsKnown() {
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
        assertThat(another.subject(moved.name(), "live", commit()).join()).contains(false);
        assertThat(another.subject(moved.name(), "gone", commit()).join()).contains(true);
        assertThat(another.subject(moved.name(), "new", commit()).join()).contains(true);
        assertThat(elsewhere(moved).tail()).isEqualTo(new Tail(43, 18, null));
    }

    @Test
    @Rule(
            value = "13.8",
            lookAt = "where copied entries are kept, what they carry, and what copying does that finds one")
    final void spec1308_copiedEntriesAreReadAsTheyWere() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        Sequence sequence = sequence();
        String name = sequence.name();
        imported(into, Kind.SEQUENCE, name, end(40, 17));
        Entry next = sequence.append(Map.of("a", 1L));
        Entry two = entry(2, Map.of("text", "x", "bytes", new byte[] {1, 2}));
        Entry removed = new Entry(39, two.appendedAt(), Change.REMOVED, "s2", Map.of(), 16, false);
        Entry last = entry(40, Map.of("secret", "x")).withoutFields();
        into.copy(name, List.of(two, removed, last), commit()).join();
        assertThat(elsewhere(sequence).read(1, 100)).containsExactly(two, removed, last, next);
        assertThat(elsewhere(sequence).read(3, 38)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> elsewhere(sequence).erase(1))
                .withMessageContaining("1");
        sequence.erase(2);
        Entry one = entry(1, Map.of("b", true));
        into.copy(name, List.of(two, one, entry(39, Map.of("other", 1L))), commit())
                .join();
        elsewhere(sequence).erase(1);
        backend().migration().copy(name, List.of(one), commit()).join();
        into.copy(name, List.of(), commit()).join();
        assertThat(elsewhere(sequence).read(1, 100))
                .containsExactly(one.withoutFields(), two.withoutFields(), removed, last, next);
        assertThat(there().sequence(name).tail()).isEqualTo(new Tail(41, 18, null));
        assertThat(elsewhere(sequence).next()).isEqualTo(42);
    }

    @Test
    @Rule(value = "13.9", lookAt = "what an import does after an error that leaves open whether it was made")
    final void spec1309_importThatFailsCanBeSentAgain() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        for (StoreFault fault : FAILURES) {
            sweep(fault, this::counter, (counter, trial) -> {
                boolean applied = isImported(into, Kind.COUNTER, counter.name(), total(5), trial);
                assertThat(elsewhere(counter).get()).as(trial.reported(applied)).isEqualTo(applied ? 5 : 0);
                assertThat(imported(into, Kind.COUNTER, counter.name(), total(5)))
                        .isEqualTo(total(5));
                assertThat(elsewhere(counter).get()).as(trial.reported(applied)).isEqualTo(5);
            });
            sweep(fault, this::sequence, (sequence, trial) -> {
                boolean applied = isImported(into, Kind.SEQUENCE, sequence.name(), end(40, 17), trial);
                assertThat(elsewhere(sequence).tail())
                        .as(trial.reported(applied))
                        .isEqualTo(applied ? new Tail(40, 17, null) : Tail.EMPTY);
                assertThat(imported(into, Kind.SEQUENCE, sequence.name(), end(40, 17)))
                        .isEqualTo(end(40, 17));
                assertThat(elsewhere(sequence).next())
                        .as(trial.reported(applied))
                        .isEqualTo(41);
            });
            List<Entry> entries = List.of(entry(1, Map.of("a", 1L)), entry(7, Map.of()), entry(40, Map.of()));
            sweep(fault, () -> moved(into), (sequence, trial) -> {
                again(trial, () -> into.copy(sequence.name(), entries, commit()));
                assertThat(elsewhere(sequence).read(1, 40)).as("%s", trial).isEqualTo(entries);
            });
            sweep(fault, () -> moved(into), (sequence, trial) -> {
                again(trial, () -> into.importSubject(sequence.name(), "s", true, commit()));
                assertThat(into.subject(sequence.name(), "s", commit()).join())
                        .as("%s", trial)
                        .contains(true);
            });
        }
    }

    private Sequence moved(MigrationStore into) {
        Sequence sequence = sequence();
        imported(into, Kind.SEQUENCE, sequence.name(), end(40, 17));
        return sequence;
    }

    /** What was told, or what is stored if that was left open. */
    private boolean isImported(MigrationStore into, Kind kind, String name, Base base, Trial trial) {
        Throwable failure = catchThrowable(() -> imported(into, kind, name, base));
        trial.end();
        boolean isStored =
                into.bases(kind, List.of(name), commit()).join().get(0).isPresent();
        if (failure == null || failure.getCause() instanceof NotAppliedException) {
            assertThat(isStored).as(trial.reported(failure == null)).isEqualTo(failure == null);
        }
        return isStored;
    }

    /** Sends it until it succeeds, the second time undisturbed. */
    private static void again(Trial trial, Supplier<CompletableFuture<?>> change) {
        Throwable failure = catchThrowable(() -> change.get().join());
        trial.end();
        if (failure != null) {
            change.get().join();
        }
    }

    @Test
    @Rule(
            value = "13.10",
            lookAt = "what a state is read from: not a list that lags, and not what the process remembers")
    final void spec1310_stateIsReadStrongly() {
        if (refusesToMigrate()) {
            return;
        }
        NameState absent = new NameState(false, null, null);
        MigrationStore store = backend().migration();
        Counter counter = counter();
        Sequence sequence = sequence();
        List<String> names = List.of(name(), counter.name(), sequence.name());
        for (Kind kind : Kind.values()) {
            assertThat(store.states(kind, names, commit()).join()).containsExactly(absent, absent, absent);
        }
        elsewhere(counter).add(0);
        elsewhere(sequence).next();
        NameState present = new NameState(true, null, null);
        assertThat(store.states(Kind.COUNTER, names, commit()).join()).containsExactly(absent, present, absent);
        assertThat(store.states(Kind.SEQUENCE, names, commit()).join()).containsExactly(absent, absent, present);
        if (declares(Capability.SEAL_SEQUENCES)) {
            assertSealed(
                    store,
                    Kind.SEQUENCE,
                    sequence.name(),
                    true,
                    elsewhere(sequence).seal(ELSEWHERE));
            Sequence empty = sequence();
            assertSealed(
                    store, Kind.SEQUENCE, empty.name(), false, elsewhere(empty).seal(ELSEWHERE));
        }
        if (declares(Capability.SEAL_COUNTERS)) {
            assertSealed(
                    store,
                    Kind.COUNTER,
                    counter.name(),
                    true,
                    elsewhere(counter).seal(ELSEWHERE));
            Counter empty = counter();
            assertSealed(
                    store, Kind.COUNTER, empty.name(), false, elsewhere(empty).seal(ELSEWHERE));
        } else {
            elsewhere(counter).delete();
            assertThat(store.states(Kind.COUNTER, names, commit()).join()).containsExactly(absent, absent, absent);
        }
    }

    private void assertSealed(MigrationStore store, Kind kind, String name, boolean isPresent, Seal seal) {
        NameState state = store.states(kind, List.of(name), commit()).join().get(0);
        assertThat(state.isPresent()).as("present when it was sealed").isEqualTo(isPresent);
        assertThat(state.seal()).isEqualTo(seal);
        assertThat(state.sealedAt()).isNotNull();
        assertThat(backend().migration().states(kind, List.of(name), commit()).join())
                .as("for another process")
                .containsExactly(state);
    }

    /** False where importing is declared; true, once proven, where it is refused and changes nothing. */
    private boolean refusesToImport() {
        if (declares(Capability.IMPORT)) {
            return false;
        }
        CounterBackend backend = backend();
        Counter counter = counter();
        Sequence sequence = sequence();
        String name = sequence.name();
        assertUnsupported(() -> importing(backend.migration(), Kind.COUNTER, counter.name(), total(5)));
        assertUnsupported(() -> importing(backend.migration(), Kind.SEQUENCE, name, end(40, 17)));
        assertUnsupported(() -> backend.migration().importSubject(name, "s", true, commit()));
        assertUnsupported(() -> backend.migration().copy(name, List.of(entry(1, Map.of())), commit()));
        assertThat(elsewhere(counter).get()).isZero();
        assertThat(elsewhere(sequence).tail()).isEqualTo(Tail.EMPTY);
        sequence.append(Change.ADDED, "s", Map.of());
        assertThat(sequence.read(1, 9)).hasSize(1);
        return true;
    }

    /** False where names can be moved in or out; true, once proven, where that is refused. */
    private boolean refusesToMigrate() {
        if (declares(Capability.IMPORT) || declares(Capability.SEAL_COUNTERS) || declares(Capability.SEAL_SEQUENCES)) {
            return false;
        }
        CounterBackend backend = backend();
        assertUnsupported(() -> backend.migration().states(Kind.COUNTER, List.of(name()), commit()));
        assertUnsupported(() -> backend.migration().subject(name(), "s", commit()));
        return refusesToImport();
    }
}
