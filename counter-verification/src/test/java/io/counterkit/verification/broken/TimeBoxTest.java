package io.counterkit.verification.broken;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.verification.broken.flaw.Flaw;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A rule that runs trials until a time is over reports how many of them it ran. */
class TimeBoxTest {
    private static final Flaw RIGHT = Flaws.thatDoes("has no flaw");
    private static final Set<String> RULES_IN_A_BOX = Set.of("5.17", "7.11", "7.12", "7.13", "7.14", "14.1", "14.2");

    @Test
    void boxWithoutTime_runsTheLeastTrials_andReportsThatOthersAreLeftOut() {
        ContractRun run = ContractRun.inBox(RIGHT, 0, rule -> RULES_IN_A_BOX.contains(rule.value()));
        assertThat(run.messages()).isEmpty();
        assertThat(run.trials()).containsOnlyKeys(RULES_IN_A_BOX).containsEntry("14.1", "5 of 100");
        assertThat(run.trials().values())
                .map(TimeBoxTest::counts)
                .allSatisfy(trials -> assertThat(trials.get(0)).isPositive().isLessThan(trials.get(1)));
    }

    @Test
    void boxWithoutTime_runsOneTrialOnASlowStore() {
        Executor later = CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS);
        Flaw slow = Flaw.that("is right, and slow", "7.11").backend(right -> Posted.on(later, right));
        Flaws.alsoFind(slow);
        ContractRun run = ContractRun.inBox(
                slow, 0, rule -> Set.of("7.14", "7.23", "14.1").contains(rule.value()));
        assertThat(run.messages()).isEmpty();
        assertThat(run.trials()).hasSize(3).containsEntry("14.1", "1 of 100");
        assertThat(run.trials().values()).allMatch(trials -> trials.startsWith("1 of "));
    }

    @Test
    void boxWithTime_runsAllTrials() {
        Map<String, String> trials = ContractRun.inBox(
                        RIGHT, 3_600, rule -> rule.value().equals("7.14"))
                .trials();
        assertThat(trials).containsOnlyKeys("7.14");
        assertThat(counts(trials.get("7.14")))
                .satisfies(counts -> assertThat(counts.get(0)).isEqualTo(counts.get(1)));
    }

    /** Returns how many trials ran, and how many there are. */
    private static List<Integer> counts(String trials) {
        return Arrays.stream(trials.split(" of ")).map(Integer::valueOf).toList();
    }
}
