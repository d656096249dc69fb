package io.counterkit.tck.chapter.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterOverflowException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks.Overtaken;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.Overflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Chapters 11 and 13, continued: the states of names, before and after a seal. */
public abstract class SealedNamesChapter extends MigrationChapter {
    /** The largest accepted difference between two clocks. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(10);

    @Test
    @Rule(
            value = "11.9",
            lookAt = "the list of names after a seal: an absent counter stays absent, a sealed sequence is listed")
    final void spec1109_sealedAbsentNamesAreListedAsTheyAre() {
        Counter absent = counter();
        Counter present = counter(3);
        Sequence empty = sequence();
        if (declares(Capability.SEAL_COUNTERS)) {
            absent.seal(ELSEWHERE);
            present.seal(ELSEWHERE);
        }
        awaitLists(() -> {
            assertThat(ListedNames.ofCounters(there(), absent.name()))
                    .as("the names listed for a sealed absent counter")
                    .isEmpty();
            assertThat(ListedNames.ofCounters(there(), present.name()))
                    .as("the names listed for a sealed counter")
                    .containsExactly(present.name());
        });
        assertTotalElsewhere(absent, 0);
        assertThat(ListedNames.ofSequences(there(), empty.name()))
                .as("the names listed for an empty sequence")
                .isEmpty();
        if (declares(Capability.SEAL_SEQUENCES)) {
            empty.seal(ELSEWHERE);
        }
        List<String> expected = declares(Capability.SEAL_SEQUENCES) ? List.of(empty.name()) : List.of();
        awaitLists(() -> assertThat(ListedNames.ofSequences(there(), empty.name()))
                .as("the names listed for a sealed empty sequence")
                .isEqualTo(expected));
        assertLastElsewhere(empty, 0);
    }

    @Test
    @Rule(
            value = "11.10",
            lookAt = "whether a seal reads the total: a counter out of range can be sealed, and reading it still fails")
    final void spec1110_overflownCounterCanBeSealed() {
        if (refusesToSeal(counter(1))) {
            return;
        }
        Counter above = counter();
        Overflow.above(above);
        for (Counter counter : declares(Capability.IMPORT) ? List.of(above, below()) : List.of(above)) {
            Seal seal = elsewhere(counter).seal(ELSEWHERE);
            assertThat(seal.forward()).isEqualTo(ELSEWHERE);
            assertThat(counter.seal(ELSEWHERE)).as("the seal that is returned").isEqualTo(seal);
            assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(elsewhere(counter)::get);
            assertThatExceptionOfType(SealedException.class).isThrownBy(() -> counter.add(-1));
            assertThatExceptionOfType(SealedException.class).isThrownBy(counter::reset);
            assertThatExceptionOfType(SealedException.class).isThrownBy(counter::delete);
            assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(counter::get);
        }
    }

    @Test
    @Rule(
            value = "13.10",
            lookAt = "where a state is read: neither from a list that lags nor from a cache of the process; a name and"
                    + " its seal that are read in two steps")
    final void spec1310_stateIsReadStrongly() throws Exception {
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
        elsewhere(sequence).append(Change.ADDED, "s", Map.of());
        elsewhere(sequence).append(Change.REMOVED, "s", Map.of());
        Sequence withoutLive = sequence();
        withoutLive.append(Change.ADDED, "s", Map.of());
        withoutLive.append(Change.REMOVED, "s", Map.of());
        assertThat(store.states(Kind.SEQUENCE, List.of(withoutLive.name()), commit())
                        .join())
                .containsExactly(present);
        assertThat(store.subject(withoutLive.name(), "s", commit()).join()).contains(false);
        if (declares(Capability.SEAL_SEQUENCES)) {
            assertSealed(store, Kind.SEQUENCE, sequence.name(), true);
            Sequence empty = sequence();
            assertSealed(store, Kind.SEQUENCE, empty.name(), false);
        }
        if (declares(Capability.SEAL_COUNTERS)) {
            assertSealed(store, Kind.COUNTER, counter.name(), true);
            Counter empty = counter();
            assertSealed(store, Kind.COUNTER, empty.name(), false);
            assertThatExceptionOfType(SealedException.class).isThrownBy(() -> counter.add(5));
            assertThat(store.lateAdds(List.of(name(), counter.name(), empty.name()), commit())
                            .join())
                    .as("what was added after the seal of each counter; refused adds do not count")
                    .containsExactly(0L, 0L, 0L);
        } else {
            elsewhere(counter).delete();
            assertThat(store.states(Kind.COUNTER, names, commit()).join()).containsExactly(absent, absent, absent);
        }
        if (declares(Capability.SEAL_COUNTERS)) {
            assertStateIsOfOneMoment(Kind.COUNTER);
        }
        if (declares(Capability.SEAL_SEQUENCES)) {
            assertStateIsOfOneMoment(Kind.SEQUENCE);
        }
    }

    /** Holds each call of a read of a state in turn, while another process changes and seals the name. */
    private void assertStateIsOfOneMoment(Kind kind) throws Exception {
        MigrationStore store = backend().migration();
        boolean isHeld = true;
        for (int call = 1; isHeld; call++) {
            String name = name();
            Overtaken<NameState, Seal> read =
                    tasks().overtake(call, () -> state(store, kind, name), () -> usedAndSealed(kind, name));
            isHeld = read.isHeld();
            NameState state = read.result();
            assertThat(state.seal())
                    .as("the seal in a state that was read while another process sealed the name")
                    .isIn(null, read.other());
            assertThat(state.seal() == null ? state.sealedAt() == null : state.isPresent() && state.sealedAt() != null)
                    .as(
                            "whether the state is of one moment: %s, read with call %s held while another process"
                                    + " used and sealed the name",
                            state, call)
                    .isTrue();
        }
    }

    private NameState state(MigrationStore store, Kind kind, String name) {
        return store.states(kind, List.of(name), commit()).join().get(0);
    }

    private Seal usedAndSealed(Kind kind, String name) {
        if (kind == Kind.COUNTER) {
            there().counter(name).add(5);
        } else {
            there().sequence(name).next();
        }
        return seal(kind, name);
    }

    private Seal seal(Kind kind, String name) {
        return kind == Kind.COUNTER
                ? there().counter(name).seal(ELSEWHERE)
                : there().sequence(name).seal(ELSEWHERE);
    }

    private void assertSealed(MigrationStore store, Kind kind, String name, boolean isPresent) {
        Seal seal = seal(kind, name);
        NameState state = state(store, kind, name);
        assertThat(state.isPresent()).as("whether the sealed name is present").isEqualTo(isPresent);
        assertThat(state.seal()).as("the seal in the state").isEqualTo(seal);
        assertThat(state.sealedAt())
                .as("the time of a seal, by the clock of the store or of a process")
                .isBetween(Instant.now().minus(CLOCK_DIFFERENCE), Instant.now().plus(CLOCK_DIFFERENCE));
        assertThat(backend().migration().states(kind, List.of(name), commit()).join())
                .as("the states in another process")
                .containsExactly(state);
        await("a seal with a later time than " + state.sealedAt())
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .until(() -> {
                    String later = name();
                    seal(kind, later);
                    return Objects.requireNonNull(state(store, kind, later).sealedAt())
                            .isAfter(state.sealedAt());
                });
        assertThat(seal(kind, name)).isEqualTo(seal);
        assertThat(store.states(kind, List.of(name), commit()).join())
                .as("the states after the name was sealed again")
                .containsExactly(state);
    }

    @Test
    @Rule(value = "13.14", lookAt = "whether an import checks only for a total or entries: a sealed name is in use too")
    final void spec1314_sealedEmptyNameIsNotImported() {
        if (refusesToImport()) {
            return;
        }
        MigrationStore into = backend().migration();
        if (declares(Capability.SEAL_SEQUENCES)) {
            Sequence sequence = sequence();
            sequence.seal(ELSEWHERE);
            assertNotApplied(importing(into, Kind.SEQUENCE, sequence.name(), end(40, 17)));
            assertNotApplied(importing(into, Kind.SEQUENCE, sequence.name(), ABSENT));
            assertTailElsewhere(sequence, new Tail(0, 0, new Seal(ELSEWHERE, 0, 0)));
        }
        if (declares(Capability.SEAL_COUNTERS)) {
            Counter counter = counter();
            counter.seal(ELSEWHERE);
            assertNotApplied(importing(into, Kind.COUNTER, counter.name(), total(5)));
            assertNotApplied(importing(into, Kind.COUNTER, counter.name(), ABSENT));
            assertTotalElsewhere(counter, 0);
            assertThatExceptionOfType(SealedException.class).isThrownBy(elsewhere(counter)::increment);
        }
    }
}
