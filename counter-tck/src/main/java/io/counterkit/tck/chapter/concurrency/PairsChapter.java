package io.counterkit.tck.chapter.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.SequenceStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.ConcurrentTasks.Overtaken;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.model.SeriesRun;
import io.counterkit.tck.internal.model.StoreRun;
import io.counterkit.tck.internal.pair.PairRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 4, continued: every pair of operations, carried out concurrently, and random operations in sequence. */
public abstract class PairsChapter extends Chapter {
    /** The smallest number of trials on a slow store. */
    private static final int LEAST = 10;

    /** The longest deadline of the API layer with the default retention. */
    private static final Duration LONGEST_DEADLINE = Duration.ofHours(12);

    private static final int RUNS = 12;
    private static final int STEPS = 60;

    /** The steps of each run on a slow store. */
    private static final int FEW_STEPS = 25;

    /** The longest time that a fast store takes for {@link #FEW_STEPS}. */
    private static final long SOON = TimeUnit.SECONDS.toNanos(1);

    @Test
    @Rule(
            value = "4.6",
            lookAt = "a check and a change that are not one step, such as a query and then an update without a lock"
                    + " or a condition; an answer of several calls, between which another process makes a change")
    final void spec406_twoOperationsOnACounterHaveAnOrder() throws Exception {
        runPairs(Kind.COUNTER);
    }

    @Test
    @Rule(value = "4.7", lookAt = "a check and a change that are not one step, as in 4.6")
    final void spec407_twoOperationsOnASequenceHaveAnOrder() throws Exception {
        runPairs(Kind.SEQUENCE);
    }

    private void runPairs(Kind kind) throws Exception {
        PairRun run = pairs(kind, 3);
        timeBox.run(run.latePairs(), LEAST, random);
        timeBox.runBriefly(run.races(), LEAST, random);
        timeBox.runBriefly(pairs(kind, 2).strongReads(), LEAST, random);
    }

    private PairRun pairs(Kind kind, int processes) {
        List<CounterBackend> all =
                Stream.generate(this::backend).limit(processes).toList();
        return new PairRun(tasks(), fixture().lag().isZero(), all, this::name, this::commit, kind);
    }

    @Test
    @Rule(
            value = "4.15",
            lookAt = "what a change reads before it is stored, and how it checks that nothing has changed since: a"
                    + " total, a version or a row that is the same as before may belong to a counter that"
                    + " was deleted meanwhile; a read of several calls, which have to be of one moment")
    final void spec415_lateChangeOfACounterHasAPlaceAmongTwoOthers() throws Exception {
        timeBox.runBriefly(pairs(Kind.COUNTER, 4).lateOnes(), LEAST, random);
    }

    @Test
    @Rule(value = "4.16", lookAt = "what a change reads before it is stored, as in 4.15")
    final void spec416_lateChangeOfASequenceHasAPlaceAmongTwoOthers() throws Exception {
        timeBox.runBriefly(pairs(Kind.SEQUENCE, 4).lateAdditions(), LEAST, random);
        timeBox.runBriefly(pairs(Kind.SEQUENCE, 4).lateOnes(), LEAST, random);
    }

    @Test
    @Rule(
            value = "4.8",
            lookAt = "the operation before the first difference, and the keys of its table; the seed repeats the run")
    final void spec408_randomOperationsOnSimilarNamesMatchTheModel() throws Exception {
        List<CounterBackend> processes = List.of(backend(), backend());
        List<TimedTrial> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            int number = i;
            runs.add(() -> {
                StoreRun run = new StoreRun(processes, this::commit, name(), number % 2 == 1, seed + number);
                long start = System.nanoTime();
                run.run(FEW_STEPS);
                if (System.nanoTime() - start < SOON) {
                    run.run(STEPS - FEW_STEPS);
                }
                run.sealSome();
                awaitLists(run::compareLists);
                run.compareTokens();
            });
        }
        timeBox.runBriefly(runs, 2);
    }

    @Test
    @Rule(
            value = "4.12",
            lookAt = "the changes before the first difference, and the kind of read in the message: every kind has to"
                    + " respect seals, imports, resets and deletions")
    final void spec412_everySeriesOfChangesOfACounterMatchesTheModel() throws Exception {
        runSeries(Kind.COUNTER);
    }

    @Test
    @Rule(
            value = "4.13",
            lookAt = "the changes before the first difference, and the kind of read in the message, as in 4.12")
    final void spec413_everySeriesOfChangesOfASequenceMatchesTheModel() throws Exception {
        runSeries(Kind.SEQUENCE);
    }

    private void runSeries(Kind kind) throws Exception {
        List<CounterBackend> processes = List.of(backend(), backend(), backend());
        Supplier<Commit> commits = () -> random.nextBoolean() ? commit() : commit(LONGEST_DEADLINE);
        SeriesRun run = new SeriesRun(kind, processes, commits, fixture().lag().isZero(), name(), random);
        List<TimedTrial> trials = new ArrayList<>();
        run.all().forEach(series -> trials.add(series::run));
        timeBox.runBriefly(trials, LEAST);
        awaitLists(run::compareLists);
    }

    @Test
    @Rule(value = "10.20", lookAt = "whether last number, live count and seal are read in one step and from one place")
    final void spec1020_tailIsConsistent() throws Exception {
        Sequence sequence = sequence();
        AtomicInteger reads = new AtomicInteger();
        AtomicBoolean writing = new AtomicBoolean(true);
        long last;
        Future<Long> writer = tasks().start(() -> {
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
        assertTailElsewhere(sequence, new Tail(last, 0, null));
        boolean isHeld = true;
        for (int call = 1; isHeld; call++) {
            isHeld = readWhileSealed(call);
        }
    }

    /**
     * Holds a call of a read of a tail, while another process appends and seals. Returns whether there was such a call.
     */
    private boolean readWhileSealed(int call) throws Exception {
        SequenceStore reading = backend().sequences();
        Sequence sequence = sequence();
        sequence.next();
        Set<Tail> tails = new HashSet<>(List.of(new Tail(1, 1, null), new Tail(2, 2, null)));
        Overtaken<Tail, Boolean> read = tasks().overtake(
                        call, () -> reading.tail(sequence.name(), commit()).join(), () -> {
                            sequence.next();
                            return declares(Capability.SEAL_SEQUENCES)
                                    && tails.add(new Tail(2, 2, sequence.seal("elsewhere")));
                        });
        assertThat(read.result())
                .as("a tail whose read was held at call %s while another process appended and then sealed", call)
                .isIn(tails);
        return read.isHeld();
    }
}
