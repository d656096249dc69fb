package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Outcome;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.Trial;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Chapter 7: failure and outcome. */
public abstract class FailureChapter extends Chapter {
    private static final int MAX_SLOW_ADDS = 20;

    @Test
    @Rule(value = "7.1", lookAt = "the mapping of the store's errors to outcomes; an error that is caught and ignored")
    final void spec701_outcomeOfAnAddIsTrue() {
        sweepFailures(() -> counter(5), (counter, trial) -> {
            boolean applied = applyAndResolve(counter::increment);
            trial.close();
            assertThat(elsewhere(counter).get())
                    .as("%s: the total", trial.reported(applied))
                    .isEqualTo(applied ? 6 : 5);
        });
    }

    @Test
    @Rule(value = "7.2", lookAt = "the mapping of the store's errors to outcomes, in a reset and its retries")
    final void spec702_outcomeOfAResetIsTrue() {
        sweepFailures(() -> counter(5), (counter, trial) -> {
            boolean applied = applyAndResolve(counter::reset);
            trial.close();
            counter.add(2);
            assertThat(elsewhere(counter).get())
                    .as("%s: the total", trial.reported(applied))
                    .isEqualTo(applied ? 2 : 7);
        });
    }

    @Test
    @Rule(value = "7.3", lookAt = "the mapping of the store's errors to outcomes, in a deletion and its retries")
    final void spec703_outcomeOfADeletionIsTrue() {
        sweepFailures(() -> counter(5), (counter, trial) -> {
            boolean applied = applyAndResolve(counter::delete);
            trial.close();
            counter.add(2);
            assertThat(elsewhere(counter).get())
                    .as("%s: the total", trial.reported(applied))
                    .isEqualTo(applied ? 2 : 7);
        });
    }

    @Test
    @Rule(
            value = "7.4",
            lookAt = "what an append does after an error: it has to keep its number until the entry with that number"
                    + " exists")
    final void spec704_outcomeOfAnAppendIsTrue() {
        sweepFailures(this::threeEntries, (sequence, trial) -> {
            boolean applied = applyAndResolve(() -> sequence.append(Change.UPDATED, "subject", Map.of("a", 1L)));
            trial.close();
            Tail expected = new Tail(applied ? 4 : 3, 3, null);
            assertThat(elsewhere(sequence).tail())
                    .as("%s: the tail", trial.reported(applied))
                    .isEqualTo(expected);
            assertThat(SequenceHistory.numbersIn(elsewhere(sequence)))
                    .as("%s: the numbers of the entries", trial.reported(applied))
                    .isEqualTo(SequenceHistory.firstNumbers(expected.last()));
        });
    }

    @Test
    @Rule(value = "7.5", lookAt = "the mapping of the store's errors to outcomes, when an entry is erased")
    final void spec705_outcomeOfAnErasureIsTrue() {
        sweepFailures(this::threeEntries, (sequence, trial) -> {
            boolean applied = applyAndResolve(() -> sequence.erase(2));
            trial.close();
            assertThat(entry(elsewhere(sequence), 2).erased())
                    .as("%s: whether the entry is erased", trial.reported(applied))
                    .isEqualTo(applied);
        });
    }

    @Test
    @Rule(value = "7.6", lookAt = "a read that returns 0 or nothing instead of an error")
    final void spec706_failedReadIsAnErrorAndNeverZero() {
        sweepFailures(
                () -> counter(5), (counter, trial) -> assertRightOrNotApplied(trial, 5L, elsewhere(counter)::get));
        sweepFailures(() -> counter(5), (counter, trial) -> assertRightOrNotApplied(trial, 5L, () -> readAll(counter)));
        sweepFailures(
                this::threeEntries, (sequence, trial) -> assertRightOrNotApplied(trial, 3L, elsewhere(sequence)::last));
        sweepFailures(
                this::threeEntries,
                (sequence, trial) -> assertRightOrNotApplied(
                        trial, 3, () -> elsewhere(sequence).read(1, 9).size()));
    }

    @Test
    @Rule(
            value = "7.7",
            lookAt = "a call that waits beyond the deadline of its commit; the API layer ends the caller's wait")
    final void spec707_callThatHangsIsEndedByTheDeadline() {
        sweep(StoreFault.HOLD, () -> counter(5), this::addUntilACallHangs);
    }

    /** Adds until the fault hits a call. An add may also fail before that because the store is slow. */
    private void addUntilACallHangs(Counter counter, Trial trial) {
        Counter impatient = impatient().counter(counter.name());
        int slow = 0;
        while (true) {
            try {
                impatient.increment();
                break;
            } catch (CounterException e) {
                if (trial.isHit()) {
                    return;
                }
                assertThat(slow++)
                        .as(
                                "%s: the number of adds that failed before the fault hit a call; the last failure: %s",
                                trial, e)
                        .isLessThan(MAX_SLOW_ADDS);
            }
        }
        if (trial.isHit()) { // the backend completed the add without the held call
            assertThat(elsewhere(counter).get())
                    .as("%s: the total after an add that returned", trial)
                    .isBetween(6L, 6L + slow);
        }
    }

    @Test
    @Rule(value = "7.8", lookAt = "an InterruptedException that is caught and ignored")
    final void spec708_interruptIsRestoredAndTheOutcomeReported() throws Exception {
        Counter counter = counter(5);
        Counter elsewhere = elsewhere(counter);
        try (FaultInjector.InjectedFault held = inject(StoreFault.HOLD, 1)) {
            Future<Outcome> interrupted = tasks().start(() -> {
                Thread.currentThread().interrupt();
                try {
                    elsewhere.increment();
                } catch (CounterException e) {
                    assertThat(Thread.interrupted())
                            .as("the interrupt status of the caller, which was set before")
                            .isTrue();
                    return e.outcome();
                }
                throw new AssertionError(
                        "an add of an interrupted caller returned although its first call to the store had to be held;"
                                + " the call was held: " + held.isHit());
            });
            assertThat(ConcurrentTasks.result(interrupted)).isIn(Outcome.NOT_APPLIED, Outcome.UNKNOWN);
        }
    }

    @Test
    @Rule(
            value = "7.10",
            lookAt = "a call that an interrupt ends, and the other requests in it; a connection or a file that an"
                    + " interrupt closes")
    final void spec710_interruptOfOneCallerChangesNoOutcomeOfItsNeighbours() throws Exception {
        Counter counter = counter(5);
        Sequence sequence = sequence();
        AtomicBoolean over = new AtomicBoolean();
        InterruptedCaller interrupted = new InterruptedCaller(counter, sequence, over);
        long added = 5;
        long appended = 0;
        Future<Boolean> leaving = tasks().start(interrupted);
        List<Future<Integer>> neighbours = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            neighbours.add(tasks().start(() -> {
                int done = 0;
                while (done < 3 || !over.get()) {
                    counter.increment();
                    sequence.next();
                    done++;
                }
                return done;
            }));
        }
        try {
            interrupted.interruptOften(25, random);
        } finally {
            over.set(true);
        }
        for (Future<Integer> neighbour : neighbours) {
            int done = ConcurrentTasks.result(neighbour);
            added += done;
            appended += done;
        }
        ConcurrentTasks.result(leaving);
        added += interrupted.adds(this::isApplied);
        appended += interrupted.appends(this::isApplied);
        assertThat(elsewhere(counter).get())
                .as("the total after adds of four callers, one of which was interrupted often")
                .isEqualTo(added);
        SequenceHistory.checkOneTo(
                appended, SequenceHistory.numbersIn(elsewhere(sequence)), "the numbers of the entries");
    }

    private Sequence threeEntries() {
        Sequence sequence = sequence();
        sequence.append(Map.of("a", "b"));
        sequence.append(Map.of("a", "c"));
        sequence.append(Change.ADDED, "subject", Map.of());
        return sequence;
    }

    private long readAll(Counter counter) {
        return there().readAll(List.of(counter.name()), Duration.ZERO)
                .get(counter.name())
                .value();
    }

    private static <T> void assertRightOrNotApplied(Trial trial, T right, Supplier<T> read) {
        try {
            assertThat(read.get()).as("%s: the value read", trial).isEqualTo(right);
        } catch (CounterException e) {
            assertThat(e.outcome())
                    .as("%s: the outcome of the failed read", trial)
                    .isEqualTo(Outcome.NOT_APPLIED);
        }
    }
}
