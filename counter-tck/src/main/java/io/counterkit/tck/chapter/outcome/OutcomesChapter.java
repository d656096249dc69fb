package io.counterkit.tck.chapter.outcome;

import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultyRun;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Reads;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.Sweep;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Chapter 7, continued: every operation with faults at each of its calls, one fault or several. */
public abstract class OutcomesChapter extends Chapter {
    private static final Duration SOON = Duration.ofMillis(150);

    /** Long enough for an import without faults. */
    private static final Duration SHORT = Duration.ofMillis(500);

    @Test
    @Rule(
            value = "7.11",
            lookAt = "the mapping of the store's errors to outcomes, in every operation; retries, and work that"
                    + " continues in the background after the outcome was reported")
    final void spec711_outcomeOfEveryChangeIsTrue() throws Exception {
        sweepChanges(FaultPlan.single(), stage(here()));
    }

    @Test
    @Rule(
            value = "7.12",
            lookAt = "the retry after a lost reply: once the outcome of one attempt is unknown, a later failure does"
                    + " not make the change not applied")
    final void spec712_outcomeIsTrueWhenTwoCallsInARowFail() throws Exception {
        sweepChanges(FaultPlan.pairs(), stage(here()));
    }

    @Test
    @Rule(
            value = "7.13",
            lookAt = "the outcome reported at the deadline: it has to cover all attempts, not only the last")
    final void spec713_outcomeIsTrueInAnOutage() throws Exception {
        sweepChanges(FaultPlan.outages(), stage(impatient(SOON), SHORT));
    }

    @Test
    @Rule(
            value = "7.14",
            lookAt = "a failure of a read, a list, a state or a resolution that is reported as empty, absent, 0 or"
                    + " not applied")
    final void spec714_failureOfEveryReadIsAFailure() throws Exception {
        List<FaultPlan> plans = new ArrayList<>(FaultPlan.single());
        plans.addAll(FaultPlan.pairs());
        Stage patient = stage(here());
        Stage impatient = stage(impatient(SOON), SOON);
        List<List<TimedTrial>> sweeps = new ArrayList<>();
        for (Operation<Reads.Read> operation : Reads.all()) {
            if (operation.isPossible(here().capabilities())) {
                sweeps.add(sweeps(operation, patient, plans));
                sweeps.add(sweeps(operation, impatient, List.of(FaultPlan.failing())));
            }
        }
        timeBox.run(sweeps, random);
    }

    private List<TimedTrial> sweeps(Operation<Reads.Read> operation, Stage stage, List<FaultPlan> plans) {
        Trials trials = new Trials(stage);
        Reads.Read read = operation.prepare().apply(stage);
        return plans.stream()
                .map(plan -> (TimedTrial) () -> sweepRead(trials, operation.label(), read, plan))
                .toList();
    }

    private void sweepRead(Trials trials, String operation, Reads.Read read, FaultPlan plan) {
        int call = 1;
        while (trials.read(
                operation + ", " + plan.label() + " at call " + call,
                read,
                k -> plan.inject(fixture().faults(), k),
                call)) {
            call++;
        }
    }

    @Test
    @Rule(
            value = "7.15",
            lookAt = "faults before the visible one, which the seed repeats; outcomes that are resolved much later")
    final void spec715_randomFaultsLoseAndRepeatNothing() throws Exception {
        FaultyRun run = new FaultyRun(fixture(), List.of(here(), there(), impatient()), this::name, seed);
        run.run(3, 40);
        run.check(there());
    }

    private void sweepChanges(List<FaultPlan> plans, Stage stage) throws Exception {
        Trials trials = new Trials(stage);
        List<List<TimedTrial>> sweeps = new ArrayList<>();
        for (Operation<List<Part>> operation : Changes.withBatches()) {
            if (operation.isPossible(here().capabilities())) {
                sweeps.add(plans.stream()
                        .map(plan -> (TimedTrial) () -> sweepChange(trials, operation, plan, stage))
                        .toList());
            }
        }
        timeBox.run(sweeps, random);
        trials.checkAgain();
    }

    private void sweepChange(Trials trials, Operation<List<Part>> operation, FaultPlan plan, Stage stage) {
        Sweep.run(
                operation.label() + ", " + plan.label(),
                (label, call) -> trials.change(
                        label,
                        operation.prepare().apply(stage),
                        k -> plan.inject(fixture().faults(), k),
                        call));
    }
}
