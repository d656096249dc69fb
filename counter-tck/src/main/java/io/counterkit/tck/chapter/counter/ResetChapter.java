package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trial;
import io.counterkit.tck.internal.model.ListedNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 8: reset and delete. */
public abstract class ResetChapter extends Chapter {
    @Test
    @Rule(value = "8.1", lookAt = "what a reset leaves in the store")
    final void spec801_resetReadsZeroAndStaysPresent() {
        Counter counter = counter(5);
        counter.reset();
        assertTotalElsewhere(counter, 0);
        awaitPresent(counter, true);
        counter.add(3);
        assertTotalElsewhere(counter, 3);
    }

    @Test
    @Rule(value = "8.2", lookAt = "a reset that creates the counter")
    final void spec802_resetOfAnAbsentCounterChangesNothing() {
        Counter counter = counter();
        counter.reset();
        assertTotal(counter, 0);
        awaitPresent(counter, false);
    }

    @Test
    @Rule(
            value = "8.3",
            lookAt = "whether a reset clears the parts of a total one by one, or writes a total that it read before;"
                    + " whether it joins one that is under way")
    final void spec803_resetIsOneStepBetweenAdds() throws Exception {
        assertOneStepBetweenAdds(Counter::reset);
        assertEachIsMade(Counter::reset);
    }

    @Test
    @Rule(value = "8.4", lookAt = "concurrent resets that each subtract the total that they read")
    final void spec804_concurrentResetsDoNotGoNegative() throws Exception {
        int rounds = size(10, 2);
        for (int round = 0; round < rounds; round++) {
            Counter counter = counter(10);
            tasks().runAtOnce(3, thread -> {
                (thread % 2 == 0 ? counter : elsewhere(counter)).reset();
            });
            assertTotal(counter, 0);
        }
    }

    @Test
    @Rule(value = "8.5", lookAt = "parts of the old total that a deletion leaves in the store")
    final void spec805_deletedCounterIsAbsentAndStartsAgainFromZero() {
        Counter counter = counter(5);
        elsewhere(counter).add(6);
        awaitPresent(counter, true);
        counter.delete();
        assertTotalElsewhere(counter, 0);
        awaitPresent(counter, false);
        elsewhere(counter).add(3);
        assertTotal(counter, 3);
        awaitPresent(counter, true);
    }

    @Test
    @Rule(value = "8.6", lookAt = "whether a deletion clears the parts of a total one by one, or joins one under way")
    final void spec806_deletionIsOneStepBetweenAdds() throws Exception {
        assertOneStepBetweenAdds(Counter::delete);
        assertEachIsMade(Counter::delete);
    }

    @Test
    @Rule(value = "8.7", lookAt = "a deletion that fails if the counter is absent")
    final void spec807_deletionOfAnAbsentCounterChangesNothing() {
        Counter counter = counter();
        counter.delete();
        counter.delete();
        assertTotal(counter, 0);
    }

    @Test
    @Rule(
            value = "8.8",
            lookAt = "a reset or a deletion that reaches the store after its token was resolved; a resolution that"
                    + " concludes from the state of the counter instead of the token")
    final void spec808_lateResetDoesNotOverruleResolve() throws Exception {
        List<TimedTrial> trials = new ArrayList<>();
        for (Long before : Arrays.asList(5L, 0L, null)) {
            trials.add(() -> assertLateOneRemovesNothing(before, Counter::reset));
            trials.add(() -> assertLateOneRemovesNothing(before, Counter::delete));
        }
        timeBox.runBriefly(trials, trials.size());
    }

    /** @param before the total before; null if the counter is absent */
    private void assertLateOneRemovesNothing(@Nullable Long before, Consumer<Counter> clearing) {
        long total = before == null ? 0 : before;
        sweep(StoreFault.HOLD, () -> before == null ? counter() : counter(before), (counter, trial) -> {
            Counters impatient = impatient();
            boolean applied = applyAndResolve(() -> clearing.accept(impatient.counter(counter.name())), trial);
            trial.endUnlessHit();
            addWhileHeld(counter, trial);
            assertThat(elsewhere(counter).get())
                    .as(
                            "%s: the total after a later add of 2 to a counter that %s",
                            trial.reported(applied), before == null ? "was absent" : "had the total " + before)
                    .isEqualTo(applied ? 2 : total + 2);
        });
    }

    /** Adds 2 before the held call is carried out, or after it if the call keeps a lock. */
    private void addWhileHeld(Counter counter, Trial held) {
        try {
            Future<?> adding;
            try {
                adding = tasks().start(() -> elsewhere(counter).add(2));
                ConcurrentTasks.awaitBriefly(adding::isDone);
            } finally {
                held.close();
            }
            ConcurrentTasks.result(adding);
        } catch (Exception e) {
            throw new AssertionError(held.toString(), e);
        }
    }

    /**
     * Adds 1, 2, 4, … in one thread while another one clears the counter. The remaining total must be the sum of the
     * last of these adds: none that was acknowledged before the clearing began, and all that began after it ended.
     */
    private void assertOneStepBetweenAdds(Consumer<Counter> clearing) throws Exception {
        int rounds = size(8, 3);
        for (int round = 0; round < rounds; round++) {
            Counter counter = counter();
            AtomicInteger acknowledged = new AtomicInteger();
            AtomicInteger begun = new AtomicInteger();
            int[] minCleared = new int[1];
            int[] maxCleared = new int[1];
            tasks().runAtOnce(2, thread -> {
                if (thread == 0) {
                    for (int i = 0; i < 40; i++) {
                        begun.set(i + 1);
                        counter.add(1L << i);
                        acknowledged.set(i + 1);
                    }
                } else {
                    while (acknowledged.get() < 3 && !Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    minCleared[0] = acknowledged.get();
                    clearing.accept(elsewhere(counter));
                    maxCleared[0] = begun.get();
                }
            });
            long left = counter.get();
            int cleared = left == 0 ? 40 : Long.numberOfTrailingZeros(left);
            assertThat(left)
                    .as("the remaining total, which has to be the sum of the last of the adds 1, 2, 4, …")
                    .isEqualTo(((1L << 40) - 1) >> cleared << cleared);
            assertThat(cleared)
                    .as("the number of cleared adds, at least those acknowledged before and at most those begun")
                    .isBetween(minCleared[0], maxCleared[0]);
        }
    }

    /** Adds and clears in one thread while another one clears: nothing is left of the only adds. */
    private void assertEachIsMade(Consumer<Counter> clearing) throws Exception {
        Counter counter = counter();
        AtomicInteger left = new AtomicInteger(size(50, 5));
        tasks().runAtOnce(2, thread -> {
            try {
                while (left.get() > 0) {
                    if (thread == 0) {
                        left.decrementAndGet();
                        counter.add(1);
                    }
                    clearing.accept(counter);
                    if (thread == 0) {
                        assertThat(counter.get())
                                .as("the total after the only add was cleared, while other clearings were under way")
                                .isZero();
                    }
                }
            } finally {
                left.set(0);
            }
        });
    }

    private void awaitPresent(Counter counter, boolean present) {
        List<String> expected = present ? List.of(counter.name()) : List.of();
        awaitLists(() -> assertThat(ListedNames.ofCounters(here(), counter.name()))
                .as("the names listed for the counter")
                .isEqualTo(expected));
    }
}
