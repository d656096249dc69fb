package io.counterkit.tck.chapter.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Chapter 11: sealing. If a backend does not declare the capability, each test checks that sealing is refused. */
public abstract class SealingChapter extends MigrationChapter {
    /** How long changes race with a seal. If they went on, the seal could wait on a slow store until its deadline. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(2);

    @Test
    @Rule(value = "11.1", lookAt = "Capability.SEAL_SEQUENCES: declared if and only if a seal stops every writer")
    final void spec1101_sealStopsAppends() {
        Sequence sequence = sequence();
        sequence.next();
        sequence.append(Change.ADDED, "a", Map.of());
        sequence.append(Change.REMOVED, "a", Map.of());
        if (refusesToSeal(sequence)) {
            return;
        }
        Seal seal = elsewhere(sequence).seal(ELSEWHERE);
        assertThat(seal).isEqualTo(new Seal(ELSEWHERE, 3, 1));
        for (Sequence either : List.of(sequence, elsewhere(sequence))) {
            assertSealed(seal, either::next);
            assertThatExceptionOfType(SealedException.class)
                    .isThrownBy(() -> either.append(Change.ADDED, "a", Map.of(), IdempotencyToken.random()));
        }
        assertTail(sequence, new Tail(3, 1, seal));
    }

    @Test
    @Rule(value = "11.2", lookAt = "where the seal is kept: it is not an entry")
    final void spec1102_sealIsNoEntry() {
        Sequence sequence = sequence();
        sequence.next();
        sequence.append(Map.of("a", "b"));
        if (refusesToSeal(sequence)) {
            return;
        }
        sequence.seal(ELSEWHERE);
        assertLastElsewhere(sequence, 2);
        assertThat(elsewhere(sequence).liveCount())
                .as("the live count in another process")
                .isEqualTo(2);
        assertThat(SequenceHistory.numbersIn(elsewhere(sequence))).containsExactly(1L, 2L);
        assertThat(sequence.read(3, 3)).isEmpty();
        assertThat(sequence.partition(5)).hasSize(2);
        sequence.erase(2);
        assertThat(entry(elsewhere(sequence), 2).erased()).isTrue();
        assertThat(sequence.tail().seal()).as("the seal in the tail").isEqualTo(new Seal(ELSEWHERE, 2, 2));
    }

    @Test
    @Rule(value = "11.3", lookAt = "what a seal does if one exists")
    final void spec1103_sealIsStoredOnce() {
        Sequence sequence = sequence();
        sequence.next();
        if (refusesToSeal(sequence)) {
            return;
        }
        Seal seal = sequence.seal(ELSEWHERE);
        assertThat(elsewhere(sequence).seal(ELSEWHERE))
                .as("the seal that another process returns")
                .isEqualTo(seal);
        assertSealed(seal, () -> elsewhere(sequence).seal("somewhere else"));
        Sequence empty = sequence();
        assertThat(empty.seal(ELSEWHERE)).as("the seal that is returned").isEqualTo(new Seal(ELSEWHERE, 0, 0));
        assertThatExceptionOfType(SealedException.class).isThrownBy(elsewhere(empty)::next);
        assertLast(empty, 0);
    }

    @Test
    @Rule(value = "11.4", lookAt = "whether an append checks for the seal in its own commit")
    final void spec1104_noAppendPassesASeal() throws Exception {
        int rounds = size(5, 2);
        for (int round = 0; round < rounds; round++) {
            Sequence sequence = sequence();
            if (refusesToSeal(sequence)) {
                return;
            }
            long appended = raceWithASeal(
                    () -> sequence.seal(ELSEWHERE).last(), List.of(sequence::next, elsewhere(sequence)::next), 0);
            SequenceHistory.checkOneTo(appended, SequenceHistory.numbersIn(sequence), "the numbers of the entries");
        }
    }

    @Test
    @Rule(value = "11.5", lookAt = "the order of checks: the token has to be checked before the seal")
    final void spec1105_tokenUsedBeforeTheSealIsStillKnown() {
        Sequence sequence = sequence();
        IdempotencyToken token = IdempotencyToken.random();
        Entry entry = sequence.append(Map.of("a", 1L), token);
        if (refusesToSeal(sequence)) {
            return;
        }
        sequence.seal(ELSEWHERE);
        assertThat(elsewhere(sequence).append(Map.of("a", 1L), token))
                .as("the entry that an append in another process returns")
                .isEqualTo(entry);
        assertThat(there().resolve(token).applied()).isTrue();
    }

    @Test
    @Rule(value = "11.6", lookAt = "what a seal does after an error with an unknown outcome")
    final void spec1106_sealWithALostReplyIsStoredOnce() {
        if (refusesToSeal(sequence())) {
            return;
        }
        sweepFailures(this::oneEntry, (sequence, trial) -> {
            boolean applied = applyAndResolve(() -> sequence.seal(ELSEWHERE));
            trial.close();
            assertThat(elsewhere(sequence).tail().seal() != null)
                    .as("%s: whether the sequence is sealed", trial.reported(applied))
                    .isEqualTo(applied);
            assertThat(elsewhere(sequence).seal(ELSEWHERE))
                    .as("the seal that another process returns")
                    .isEqualTo(new Seal(ELSEWHERE, 1, 1));
        });
    }

    @Test
    @Rule(value = "11.7", lookAt = "Capability.SEAL_COUNTERS: declared if and only if a seal stops every writer")
    final void spec1107_sealStopsEveryChangeOfACounter() {
        Counter counter = counter(5);
        IdempotencyToken token = IdempotencyToken.random();
        counter.add(2, token);
        if (refusesToSeal(counter)) {
            return;
        }
        Seal seal = elsewhere(counter).seal(ELSEWHERE);
        assertThat(seal).isEqualTo(new Seal(ELSEWHERE, 7, 7));
        List<Runnable> changes = List.of(
                counter::increment,
                () -> counter.add(1, IdempotencyToken.random()),
                () -> elsewhere(counter).add(-1),
                () -> counter.add(0),
                counter::reset,
                counter::delete);
        for (Runnable change : changes) {
            assertSealed(seal, change);
        }
        elsewhere(counter).add(2, token);
        assertThat(counter.seal(ELSEWHERE)).as("the seal that is returned").isEqualTo(seal);
        assertThatExceptionOfType(SealedException.class).isThrownBy(() -> counter.seal("somewhere else"));
        assertTotalElsewhere(counter, 7);
        Counter absent = counter();
        assertThat(absent.seal(ELSEWHERE)).as("the seal that is returned").isEqualTo(new Seal(ELSEWHERE, 0, 0));
        for (Runnable change : List.<Runnable>of(() -> absent.add(0), absent::reset, elsewhere(absent)::delete)) {
            assertThatExceptionOfType(SealedException.class).isThrownBy(change::run);
        }
    }

    @Test
    @Rule(value = "11.8", lookAt = "whether a concurrent add and seal can both be the first")
    final void spec1108_noAddPassesASeal() throws Exception {
        int rounds = size(8, 3);
        for (int round = 0; round < rounds; round++) {
            Counter counter = counter(1);
            if (refusesToSeal(counter)) {
                return;
            }
            long added = raceWithASeal(
                    () -> counter.seal(ELSEWHERE).last(),
                    List.of(counter::increment, elsewhere(counter)::increment),
                    1);
            assertTotalElsewhere(counter, 1 + added);
        }
    }

    /**
     * Changes a name in three threads until the seal of a fourth one stops them. Checks that the seal covers each of
     * these changes and {@code before} earlier ones. Returns the number of changes.
     */
    private long raceWithASeal(Supplier<Long> seal, List<Runnable> changes, long before) throws Exception {
        List<Long> results = tasks().callAtOnce(4, thread -> {
            if (thread == 0) {
                return seal.get();
            }
            long made = 0;
            long start = System.nanoTime();
            try {
                for (; made < 500 && System.nanoTime() - start < MOST_NANOS; made++) {
                    changes.get(thread % 2).run();
                }
            } catch (SealedException e) {
                assertThat(e.seal().forward()).isEqualTo(ELSEWHERE);
            }
            return made;
        });
        long made = results.stream().skip(1).mapToLong(Long::longValue).sum();
        assertThat(results.get(0))
                .as("the last number or the total in the seal")
                .isEqualTo(before + made);
        return made;
    }

    private Sequence oneEntry() {
        Sequence sequence = sequence();
        sequence.next();
        return sequence;
    }
}
