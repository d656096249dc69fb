package io.counterkit.tck.chapter.concurrency;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.spi.Capability;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.history.CounterWorkload;
import io.counterkit.tck.internal.history.HistoryRun;
import io.counterkit.tck.internal.history.SequenceWorkload;
import io.counterkit.tck.internal.history.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Chapter 14: histories. {@code -Dcounterkit.histories=…} sets the largest number of histories for each rule, and
 * {@code -Dcounterkit.box.seconds=…} the time; {@code -Dcounterkit.history.seed=…} repeats the history of one seed as
 * often as that number says.
 */
public abstract class HistoriesChapter extends Chapter {
    private static final System.Logger LOG = System.getLogger(HistoriesChapter.class.getName());

    private static final int HISTORIES = Integer.getInteger("counterkit.histories", 100);

    /** The smallest number of histories on a slow store. */
    private static final int LEAST = 5;

    private static final int PROCESSES = 3;
    private static final int THREADS_PER_PROCESS = 2;
    private static final int ONE_IMPATIENT_IN = 10;
    private static final int ONE_SEALED_IN = 4;

    /** The limit for a million histories; each history also has a limit of its own. */
    private static final int LONGEST_HOURS = 24;

    private final List<Counters> patient = new ArrayList<>();
    private final List<Counters> impatient = new ArrayList<>();
    private final List<ExecutorService> threads = new ArrayList<>();
    private int undecided;

    @Test
    @Timeout(value = LONGEST_HOURS, unit = TimeUnit.HOURS)
    @Rule(
            value = "14.1",
            lookAt = "the operations whose answers contradict each other, and the calls to the store between them")
    final void spec1401_everyHistoryOfACounterHasALegalOrder() throws Exception {
        runHistories(Capability.SEAL_COUNTERS, CounterWorkload::new);
    }

    @Test
    @Timeout(value = LONGEST_HOURS, unit = TimeUnit.HOURS)
    @Rule(
            value = "14.2",
            lookAt = "the operations whose answers contradict each other, and the calls to the store between them")
    final void spec1402_everyHistoryOfASequenceHasALegalOrder() throws Exception {
        runHistories(Capability.SEAL_SEQUENCES, SequenceWorkload::new);
    }

    private void runHistories(Capability seal, Workload.Factory factory) throws Exception {
        Long only = Long.getLong("counterkit.history.seed");
        connectProcesses();
        try {
            List<TimedTrial> histories = LongStream.range(0, HISTORIES)
                    .mapToObj(i -> (TimedTrial) () -> runHistory(only == null ? seed + i : only, seal, factory))
                    .toList();
            if (only == null) {
                timeBox.run(histories, LEAST);
            } else {
                for (TimedTrial history : histories) {
                    history.run();
                }
            }
            if (undecided > 0) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0} of the histories were neither accepted nor rejected: they have so many possible orders"
                                + " that the search was given up",
                        Integer.toString(undecided));
            }
        } finally {
            threads.forEach(ExecutorService::shutdownNow);
        }
    }

    private void connectProcesses() throws Exception {
        CountersOptions options = options().deadline(fixture().deadline()).build();
        for (int process = 0; process < PROCESSES; process++) {
            patient.add(connect(options));
            impatient.add(impatient());
        }
        for (int i = 0; i < PROCESSES * THREADS_PER_PROCESS; i++) {
            ExecutorService thread = Executors.newSingleThreadExecutor();
            threads.add(thread);
            thread.submit(fixture()::enterThread).get();
        }
    }

    private void runHistory(long historySeed, Capability seal, Workload.Factory factory) throws Exception {
        // Scrambled, since Random starts similarly for neighbouring seeds.
        Random decisions = new Random(new SplittableRandom(historySeed).nextLong());
        boolean isImpatient = decisions.nextInt(ONE_IMPATIENT_IN) == 0;
        boolean isSealed = decisions.nextInt(ONE_SEALED_IN) == 0 && declares(seal);
        Workload workload =
                factory.create(name(), decisions, isSealed, fixture().lag().isZero());
        HistoryRun run = new HistoryRun(
                decisions,
                isImpatient ? impatient : patient,
                threads,
                fixture().faults(),
                workload,
                isImpatient,
                fixture().deadline());
        try {
            run.run();
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; " + repeat(historySeed), e);
        }
        Workload.Checked checked = workload.check();
        undecided += checked.isDecided() ? 0 : 1;
        if (checked.violation() != null) {
            throw new AssertionError(
                    "no legal order explains these answers; " + repeat(historySeed) + "\n" + checked.violation());
        }
    }

    private static String repeat(long historySeed) {
        return "seed " + historySeed + ", to run this history 100 times: -Dcounterkit.history.seed=" + historySeed
                + " -Dcounterkit.histories=100";
    }
}
