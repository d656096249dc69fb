package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.NamedReading;
import io.counterkit.Outcome;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.model.Overflow;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Chapters 3, 7, 10, 11 and 13, continued: rules in combination. */
public abstract class EdgesChapter extends MigrationChapter {
    @Test
    @Rule(
            value = "3.16",
            lookAt = "how the largest counters are ordered and found: ties, negative totals, zero, reset and deleted"
                    + " counters, totals out of range")
    final void spec316_largestCountersAreExact() {
        if (!declares(Capability.TOP)) {
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> here().top(name(), 1));
            return;
        }
        String prefix = name() + "/";
        for (String ending : List.of("b", "B", "a", "é", "z")) {
            here().counter(prefix + ending).add(7);
        }
        here().counter(prefix + "largest").add(1L << 53);
        here().counter(prefix + "largest").add(1);
        here().counter(prefix + "next").add(1L << 53);
        here().counter(prefix + "reset").add(100);
        here().counter(prefix + "reset").reset();
        here().counter(prefix + "deleted").add(100);
        here().counter(prefix + "deleted").delete();
        here().counter(prefix + "negative").add(-1);
        here().counter(prefix + "most negative").add(-(1L << 53));
        here().counter(prefix.substring(0, prefix.length() - 1)).add(1L << 53);
        awaitLists(() -> {
            List<NamedReading> top = there().top(prefix, 100);
            assertThat(top)
                    .extracting(NamedReading::name, named -> named.reading().value())
                    .containsExactly(
                            tuple(prefix + "largest", (1L << 53) + 1),
                            tuple(prefix + "next", 1L << 53),
                            tuple(prefix + "B", 7L),
                            tuple(prefix + "a", 7L),
                            tuple(prefix + "b", 7L),
                            tuple(prefix + "z", 7L),
                            tuple(prefix + "é", 7L),
                            tuple(prefix + "reset", 0L),
                            tuple(prefix + "negative", -1L),
                            tuple(prefix + "most negative", -(1L << 53)));
            assertThat(there().top(prefix, 4))
                    .extracting(NamedReading::name)
                    .containsExactly(prefix + "largest", prefix + "next", prefix + "B", prefix + "a");
        });
        Overflow.above(here().counter(prefix + "overflown"));
        awaitLists(() ->
                assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(() -> there().top(prefix, 4)));
    }

    @Test
    @Rule(
            value = "7.18",
            lookAt = "whether each kind of change checks the token of its commit before it changes anything")
    final void spec718_changeWhoseTokenWasResolvedBeforehandIsNotApplied() {
        CounterBackend backend = backend();
        Counter counter = counter(5);
        Sequence sequence = sequence();
        sequence.append(Change.ADDED, "live", Map.of("secret", "x"));
        String name = counter.name();
        assertNotAppliedAfterResolve(
                "reset",
                ChangeTarget.counter(name),
                commit -> backend.counters().reset(name, commit));
        assertNotAppliedAfterResolve(
                "delete",
                ChangeTarget.counter(name),
                commit -> backend.counters().delete(name, commit));
        assertNotAppliedAfterResolve(
                "add",
                ChangeTarget.counter(name),
                commit -> backend.counters()
                        .add(List.of(new AddRequest(name, 1, null)), commit)
                        .thenAccept(results -> assertThat(results.get(0).isApplied())
                                .as("applied although its token was resolved as not applied")
                                .isFalse()));
        assertNotAppliedAfterResolve(
                "append",
                ChangeTarget.append(sequence.name(), 0),
                commit -> backend.sequences()
                        .append(sequence.name(), List.of(new AppendRequest(Change.ADDED, null, Map.of(), null)), commit)
                        .thenAccept(results -> assertThat(results.get(0).isApplied())
                                .as("applied although its token was resolved as not applied")
                                .isFalse()));
        assertNotAppliedAfterResolve(
                "erase",
                ChangeTarget.sequence(sequence.name()),
                commit -> backend.sequences().erase(sequence.name(), 1, commit));
        if (declares(Capability.SEAL_COUNTERS)) {
            assertNotAppliedAfterResolve(
                    "seal of the counter",
                    ChangeTarget.counter(name),
                    commit -> backend.counters().seal(name, ELSEWHERE, commit));
        }
        if (declares(Capability.SEAL_SEQUENCES)) {
            assertNotAppliedAfterResolve(
                    "seal of the sequence",
                    ChangeTarget.sequence(sequence.name()),
                    commit -> backend.sequences().seal(sequence.name(), ELSEWHERE, commit));
        }
        assertThat(elsewhere(counter).get()).isEqualTo(5);
        assertThat(elsewhere(sequence).tail()).isEqualTo(new Tail(1, 1, null));
        assertThat(entry(elsewhere(sequence), 1).erased()).isFalse();
        counter.add(1);
        assertThat(elsewhere(counter).get()).isEqualTo(6);
    }

    private void assertNotAppliedAfterResolve(
            String what, ChangeTarget target, Function<Commit, CompletableFuture<?>> change) {
        Commit commit = commit();
        assertThat(backend().resolve(commit.token(), target, commit()).join())
                .as("the resolution of a %s that was never sent", what)
                .isEqualTo(new Resolution.NotApplied());
        Throwable failure = catchThrowable(() -> change.apply(commit).join());
        if (what.startsWith("a") && failure == null) {
            return; // its result states the outcome
        }
        assertThat(failure)
                .as("the failure of a %s whose token was resolved as not applied", what)
                .isNotNull();
        assertThat(failure.getCause())
                .as("the failure of a %s whose token was resolved as not applied", what)
                .isInstanceOfSatisfying(
                        CounterException.class,
                        cause -> assertThat(cause.outcome())
                                .as("the outcome of a %s whose token was resolved as not applied", what)
                                .isEqualTo(Outcome.NOT_APPLIED));
    }

    @Test
    @Rule(value = "10.20", lookAt = "whether last number and live count are read in one step and from one place")
    final void spec1020_tailIsConsistent() throws Exception {
        Sequence sequence = sequence();
        AtomicInteger reads = new AtomicInteger();
        AtomicBoolean writing = new AtomicBoolean(true);
        long last;
        try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
            Future<Long> writer = tasks.start(() -> {
                try {
                    long number = 0;
                    while (number < 40 || (reads.get() < 100 && number < 100_000)) {
                        sequence.append(Change.ADDED, "s", Map.of());
                        number = sequence.append(Change.REMOVED, "s", Map.of()).number();
                    }
                    return number;
                } finally {
                    writing.set(false);
                }
            });
            while (writing.get()) {
                Tail tail = elsewhere(sequence).tail();
                reads.incrementAndGet();
                assertThat(tail.liveCount())
                        .as(
                                "the live count at the last number %s, where every second entry removes the subject",
                                tail.last())
                        .isEqualTo(tail.last() % 2);
            }
            last = ConcurrentTasks.result(writer);
        }
        assertThat(elsewhere(sequence).tail()).isEqualTo(new Tail(last, 0, null));
    }

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
            assertThat(there().counterNames(absent.name()).names())
                    .as("the names listed for a sealed absent counter")
                    .isEmpty();
            assertThat(there().counterNames(present.name()).names())
                    .as("the names listed for a sealed counter")
                    .containsExactly(present.name());
        });
        assertThat(elsewhere(absent).get()).isZero();
        assertThat(there().sequenceNames(empty.name()).names())
                .as("the names listed for an empty sequence")
                .isEmpty();
        if (declares(Capability.SEAL_SEQUENCES)) {
            empty.seal(ELSEWHERE);
        }
        List<String> expected = declares(Capability.SEAL_SEQUENCES) ? List.of(empty.name()) : List.of();
        awaitLists(() -> assertThat(there().sequenceNames(empty.name()).names())
                .as("the names listed for a sealed empty sequence")
                .isEqualTo(expected));
        assertThat(elsewhere(empty).last()).isZero();
    }

    @Test
    @Rule(
            value = "11.10",
            lookAt = "whether a seal reads the total: a counter out of range can be sealed, and reading it still fails")
    final void spec1110_overflownCounterCanBeSealed() {
        if (!declares(Capability.SEAL_COUNTERS)) {
            Counter counter = counter(1);
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> counter.seal(ELSEWHERE));
            assertThat(elsewhere(counter).get()).isOne();
            return;
        }
        Counter counter = counter();
        Overflow.above(counter);
        Seal seal = elsewhere(counter).seal(ELSEWHERE);
        assertThat(seal.forward()).isEqualTo(ELSEWHERE);
        assertThat(counter.seal(ELSEWHERE)).isEqualTo(seal);
        assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(elsewhere(counter)::get);
        assertThatExceptionOfType(SealedException.class).isThrownBy(() -> counter.add(-1));
        assertThatExceptionOfType(SealedException.class).isThrownBy(counter::reset);
        assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(counter::get);
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
            assertThat(elsewhere(sequence).tail()).isEqualTo(new Tail(0, 0, new Seal(ELSEWHERE, 0, 0)));
        }
        if (declares(Capability.SEAL_COUNTERS)) {
            Counter counter = counter();
            counter.seal(ELSEWHERE);
            assertNotApplied(importing(into, Kind.COUNTER, counter.name(), total(5)));
            assertNotApplied(importing(into, Kind.COUNTER, counter.name(), ABSENT));
            assertThat(elsewhere(counter).get()).isZero();
            assertThatExceptionOfType(SealedException.class).isThrownBy(elsewhere(counter)::increment);
        }
    }
}
