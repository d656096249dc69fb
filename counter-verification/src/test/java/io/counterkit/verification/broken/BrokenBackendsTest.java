package io.counterkit.verification.broken;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.tck.Rule;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.tables.Mistake;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the kit finds each flaw, reports where to look, and accepts correct backends. Most flaws run only the
 * rules that they have to break, a few run the whole contract. By default, one flaw runs for each rule. Flaws run side
 * by side, since many rules wait for what does not come.
 */
@Execution(ExecutionMode.CONCURRENT)
class BrokenBackendsTest {
    /** The rules that the API layer keeps for every backend, or for a backend without optional capabilities. */
    private static final Set<String> RULES_OF_THE_API =
            Set.of("1.4", "2.2", "3.8", "3.9", "3.11", "3.12", "10.12", "11.1", "11.7", "12.2", "15.3", "15.7");

    /** The rules whose tests report a flaw only after they have waited for what does not come. */
    private static final Set<String> RULES_THAT_WAIT =
            Set.of("3.9", "3.13", "3.14", "3.18", "3.19", "3.22", "7.17", "12.8", "15.10");

    /** The rules that take a minute to report some flaws. Those flaws start first, so that none of them runs alone at the end. */
    private static final Set<String> RULES_THAT_TAKE_LONGEST = Set.of("5.21", "12.8");

    /** The rules outside chapter 14 whose tests choose operations or faults at random. */
    private static final Set<String> RULES_OF_CHANCE = Set.of("4.8", "4.12", "4.13", "5.22", "5.24", "12.7");

    /**
     * How often a rule runs until it finds a flaw: on a busy machine, two threads may not meet as often as elsewhere.
     */
    private static final int TURNS = 3;

    private static final List<Flaw> ALL = Flaws.all();

    /** Returns the first flaw that breaks each rule. */
    static Set<Flaw> flaws() {
        Map<String, Flaw> firsts = new LinkedHashMap<>();
        ALL.stream()
                .filter(flaw -> !RULES_THAT_WAIT.containsAll(flaw.breaks()))
                .forEach(flaw -> flaw.breaks().forEach(rule -> firsts.putIfAbsent(rule, flaw)));
        return new LinkedHashSet<>(firsts.values());
    }

    static List<Flaw> furtherFlaws() {
        Set<Flaw> firsts = flaws();
        return ALL.stream()
                .filter(flaw -> !firsts.contains(flaw))
                .sorted(Comparator.comparing(flaw -> Collections.disjoint(flaw.breaks(), RULES_THAT_TAKE_LONGEST)))
                .toList();
    }

    static List<Flaw> none() {
        return Flaws.none();
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void flaw_isFoundByTheRulesThatItBreaks(Flaw flaw) {
        Set<String> broken = new HashSet<>();
        for (int turn = 0; turn < TURNS && !broken.containsAll(flaw.breaks()); turn++) {
            ContractRun run = ContractRun.of(
                    flaw, rule -> flaw.breaks().contains(rule.value()) && !broken.contains(rule.value()));
            assertStatesWhereToLook(run);
            broken.addAll(run.broken());
        }
        assertThat(broken)
                .as("rules that a backend breaks that %s", flaw.does())
                .containsExactlyInAnyOrderElementsOf(flaw.breaks());
    }

    @ParameterizedTest
    @MethodSource("furtherFlaws")
    @Tag("exhaustive")
    void furtherFlaw_isFoundByTheRulesThatItBreaks(Flaw flaw) {
        flaw_isFoundByTheRulesThatItBreaks(flaw);
    }

    @ParameterizedTest
    @MethodSource("none")
    @Tag("nightly")
    void rightBackend_failsNoRule(Flaw none) {
        ContractRun run = ContractRun.of(none, rule -> true);
        assertThat(run.messages()).isEmpty();
        assertThat(run.rules()).hasSizeGreaterThan(90);
    }

    @Test
    @Tag("nightly")
    void flawThatConcernsOneThing_failsNothingElse() {
        assertThat(brokenBy("treats names that differ in case as one"))
                .containsExactly("1.3", "1.8", "1.10", "3.16", "3.17", "3.18", "5.3", "9.1", "9.5", "9.6", "12.9");
        assertThat(brokenBy("sends an add again when the reply is lost"))
                .containsExactly(
                        "5.4", "5.6", "5.7", "7.1", "7.11", "7.12", "7.13", "7.15", "7.16", "7.21", "7.25", "12.5");
        assertThat(brokenBy("reports an applied append as not applied"))
                .containsExactly("5.14", "7.4", "7.11", "7.12", "7.13", "7.15", "7.21", "10.14", "12.5");
    }

    /** Returns the rules that a flaw breaks, without those that may find any flaw by chance. */
    private static Set<String> brokenBy(String does) {
        return ContractRun.of(
                        Flaws.thatDoes(does),
                        rule -> !rule.value().startsWith("14.") && !RULES_OF_CHANCE.contains(rule.value()))
                .broken();
    }

    @Test
    @Tag("nightly")
    void apiLayerThatLetsEverythingThrough_isFound() {
        ContractRun run = ContractRun.of(LooseApiChapters.class, rule -> RULES_OF_THE_API.contains(rule.value()));
        assertThat(run.broken()).containsExactlyInAnyOrderElementsOf(RULES_OF_THE_API);
        assertStatesWhereToLook(run);
    }

    @Test
    void everyRule_isBrokenBySomething() {
        Set<String> broken = new HashSet<>(RULES_OF_THE_API);
        ALL.forEach(flaw -> broken.addAll(flaw.breaks()));
        EnumSet.allOf(Mistake.class).forEach(mistake -> broken.addAll(mistake.breaks()));
        Set<String> rules = new HashSet<>();
        ContractRun.of(Flaws.modest(), rule -> {
            rules.add(rule.value());
            return false;
        });
        assertThat(broken).containsExactlyInAnyOrderElementsOf(rules);
    }

    private static void assertStatesWhereToLook(ContractRun run) {
        run.messages().forEach((number, message) -> {
            Rule rule = run.rules().get(number);
            assertThat(message)
                    .startsWith("Rule " + number + ": MUST ")
                    .contains(
                            "\nIntent: ",
                            "\nWhere to look: " + rule.lookAt() + "\n",
                            "\nWhat happened: ",
                            "\nIn the kit: io.counterkit.tck.");
        });
    }
}
