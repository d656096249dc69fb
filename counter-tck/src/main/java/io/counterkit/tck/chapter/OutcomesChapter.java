package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.tck.Rule;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultyRun;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Reads;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Chapter 7, continued: every operation, with faults at each of its calls, alone and together. */
public abstract class OutcomesChapter extends Chapter {
    private static final Duration SOON = Duration.ofMillis(150);

    /** Long enough for an import that is not disturbed. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** A caller in a hurry may give up before its first call. */
    private static final int MOST_GIVEN_UP = 5;

    private static final int MOST_CALLS = 60;

    @Test
    @Rule(
            value = "7.11",
            lookAt =
                    "the mapping of the store's errors to outcomes, in every operation; what is tried again, and what is"
                            + " still under way in the background when the outcome is reported")
    final void spec711_outcomeOfEveryChangeIsTrue() {
        sweepChanges(FaultPlan.single(), stage(here()));
    }

    @Test
    @Rule(
            value = "7.12",
            lookAt =
                    "the second attempt after a lost reply: once one attempt is unknown, a later failure does not make the"
                            + " change not applied")
    final void spec712_outcomeIsTrueWhenTwoCallsInARowFail() {
        sweepChanges(FaultPlan.pairs(), stage(here()));
    }

    @Test
    @Rule(
            value = "7.13",
            lookAt =
                    "what is reported when the time is over: not the failure of the last attempt, but what is known of all")
    final void spec713_outcomeIsTrueInAnOutage() {
        sweepChanges(FaultPlan.outages(), stage(impatient(SOON), SHORT));
    }

    @Test
    @Rule(
            value = "7.14",
            lookAt =
                    "a failure that is caught in a read, a list, a state or a resolution and becomes empty, absent, 0 or"
                            + " not applied")
    final void spec714_failureOfEveryReadIsAFailure() {
        Trials trials = new Trials(stage(here()));
        for (Operation<Reads.Read> operation : Reads.all()) {
            if (operation.isPossible(here().capabilities())) {
                Reads.Read read = operation.prepare().apply(stage(here()));
                List<FaultPlan> plans = new ArrayList<>(FaultPlan.single());
                plans.addAll(FaultPlan.pairs());
                for (FaultPlan plan : plans) {
                    int call = 1;
                    while (trials.read(
                            operation.label() + ", " + plan.label() + " at call " + call,
                            read,
                            k -> plan.inject(fixture().faults(), k),
                            call)) {
                        call++;
                    }
                }
            }
        }
    }

    @Test
    @Rule(
            value = "7.15",
            lookAt =
                    "the faults that came before the one that shows: repeat it with the seed; outcomes that are resolved"
                            + " long after")
    final void spec715_randomFaultsLoseNothingAndDoubleNothing() throws Exception {
        FaultyRun run = new FaultyRun(fixture(), List.of(here(), there(), impatient()), this::name, seed);
        run.run(3, 40);
        run.check(there());
    }

    private void sweepChanges(List<FaultPlan> plans, Stage stage) {
        Trials trials = new Trials(stage);
        for (Operation<List<Part>> operation : Changes.all()) {
            if (operation.isPossible(here().capabilities())) {
                plans.forEach(plan -> sweep(
                        operation.label() + ", " + plan.label(),
                        (label, call) -> trials.change(
                                label,
                                operation.prepare().apply(stage),
                                k -> plan.inject(fixture().faults(), k),
                                call)));
            }
        }
        trials.lookAgain();
    }

    /** Runs a trial with the fault at the first call, the second, and so on, until there are no more calls. */
    static void sweep(String label, DisturbedCall trial) {
        int call = 1;
        int givenUp = 0;
        while (call <= MOST_CALLS) {
            if (trial.isHit(label + " at call " + call, call)) {
                call++;
            } else if (call > 1) {
                return;
            } else {
                assertThat(++givenUp)
                        .as("%s: times that no call to the store came to the fixture's FaultInjector", label)
                        .isLessThan(MOST_GIVEN_UP);
            }
        }
        throw new AssertionError(label + ": one operation made more than " + MOST_CALLS + " calls to the store");
    }

    /** One trial; returns whether the call that was to be disturbed came. */
    interface DisturbedCall {
        boolean isHit(String label, int call);
    }
}
