package io.counterkit.tck.chapter.outcome;

import io.counterkit.Counters;
import io.counterkit.spi.Capability;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.LargeChanges;
import io.counterkit.tck.internal.fault.LargeChanges.Parts;
import io.counterkit.tck.internal.fault.LargeReads;
import io.counterkit.tck.internal.fault.LargestBatches;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Reads.Read;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Chapter 7, continued: large calls, only a part of which fails. */
public abstract class LargeCallsChapter extends Chapter {
    private static final Duration SOON = Duration.ofMillis(150);

    /** How many times as long as without a fault a call may take. */
    private static final int PATIENCE = 3;

    /** More calls to the store than any operation makes. */
    private static final int MOST_CALLS = 1_000;

    private static final int FEW_CALLS = 4;

    /** The smallest number of trials on a slow store. */
    private static final int LEAST = 4;

    /**
     * How often large changes are tried: timing decides which of them share a batch, and thereby what a fault shows.
     */
    private static final int TURNS = 3;

    /** The requests of the largest batch. */
    private static final int LARGEST = 1_000;

    private static final int LARGE = 120;

    @Test
    @Rule(
            value = "7.21",
            lookAt = "an operation that is split into several calls, by pages, by names or by requests: what it answers"
                    + " if one of them fails, and the others do not")
    final void spec721_outcomeOfLargeCallsIsTrue() throws Exception {
        List<TimedTrial> trials = new ArrayList<>();
        Stage patient = stage(here());
        for (Operation<Read> operation : possible(new LargeReads(patient, Duration.ofMillis(size(1_000, 200))).all())) {
            trials.add(() -> read(operation, patient));
        }
        boolean hasTimeForAll = size(1, 0) == 1 && timeBox.isFast();
        LargestBatches batches = new LargestBatches(patient, hasTimeForAll ? LARGEST : LARGE);
        List<TimedTrial> first = new ArrayList<>();
        for (FaultPlan plan : FaultPlan.single()) {
            addChanges(trials, new LargeChanges(patient), plan);
            addChange(first, new LargeChanges(patient), "a batch of many adds", batches::adds, plan);
            addChange(first, new LargeChanges(patient), "a batch of many appends", batches::appends, plan);
        }
        Stage impatient = stage(impatient(SOON), SOON);
        for (FaultPlan plan : FaultPlan.outages()) {
            addChanges(trials, new LargeChanges(impatient), plan);
        }
        Collections.shuffle(trials, random);
        trials.addAll(0, first);
        if (!hasTimeForAll) {
            Collections.shuffle(trials, random);
        }
        timeBox.runBriefly(trials, LEAST);
    }

    /** Adds the trials of each large change with faults at some of its calls. */
    private void addChanges(List<TimedTrial> trials, LargeChanges changes, FaultPlan plan) {
        for (int turn = 0; turn < TURNS; turn++) {
            addChange(trials, changes, "many adds", changes::adds, plan);
            addChange(trials, changes, "many appends", changes::appends, plan);
        }
        if (declares(Capability.IMPORT)) {
            trials.add(() -> atSomeCalls(call ->
                    changes.copy("a large copy, " + plan.label() + " at call " + call, () -> inject(plan, call))));
        }
    }

    private void addChange(
            List<TimedTrial> trials, LargeChanges changes, String label, Supplier<Parts> change, FaultPlan plan) {
        trials.add(() -> atSomeCalls(call ->
                changes.apply(label + ", " + plan.label() + " at call " + call, change.get(), inject(plan, call))));
    }

    /** Reads with a short deadline, while all calls from a certain call on fail. */
    private void read(Operation<Read> operation, Stage patient) {
        Read whole = operation.on(patient);
        long start = System.nanoTime();
        whole.start().get().join();
        Duration deadline = SOON.plusNanos(PATIENCE * (System.nanoTime() - start));
        Counters acting = impatient(deadline);
        Stage impatient = stage(acting, deadline);
        Read read = operation.on(impatient);
        Trials trials = new Trials(impatient);
        FaultPlan plan = FaultPlan.failing();
        atSomeCalls(call -> trials.read(
                operation.label() + ", " + plan.label() + " from call " + call + " on", read, inject(plan, call)));
    }

    /** Runs trials with faults at call 1, 2, 3, 5, 8 and so on, until there is no such call. */
    private void atSomeCalls(IntPredicate isHit) {
        int most = size(MOST_CALLS, FEW_CALLS);
        int before = 1;
        int call = 1;
        while (call < most && isHit.test(call)) {
            int next = before + call;
            before = call;
            call = next;
        }
    }
}
