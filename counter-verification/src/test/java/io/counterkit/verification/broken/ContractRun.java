package io.counterkit.verification.broken;

import io.counterkit.tck.Rule;
import io.counterkit.verification.broken.flaw.Flaw;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/**
 * The result of a run of the contract, or of some of its rules.
 *
 * @param rules the rules that were run, by number
 * @param messages the message of each failed rule, by number
 * @param trials how many of their trials the rules in a time box ran, "5 of 100" for example, by number
 */
public record ContractRun(Map<String, Rule> rules, SortedMap<String, String> messages, Map<String, String> trials) {
    private static final String FLAW = "counterkit.flaw";

    /** Runs the wanted rules over a backend with this flaw. */
    static ContractRun of(Flaw flaw, Predicate<Rule> wanted) {
        return of(FlawedContract.class, Map.of(FLAW, flaw.does()), wanted);
    }

    /** Runs the wanted rules over a backend with an unlisted flaw, with another time limit for each test. */
    static ContractRun of(Flaw flaw, int seconds, Predicate<Rule> wanted) {
        Flaws.alsoFind(flaw);
        return of(
                FlawedContract.class,
                Map.of(FLAW, flaw.does(), "counterkit.timeout", Integer.toString(seconds)),
                wanted);
    }

    /** Runs the wanted rules over a backend with this flaw, with this time for the trials of each rule. */
    static ContractRun inBox(Flaw flaw, int seconds, Predicate<Rule> wanted) {
        return of(
                FlawedContract.class,
                Map.of(FLAW, flaw.does(), "counterkit.box.seconds", Integer.toString(seconds)),
                wanted);
    }

    /** Runs the wanted rules of {@code contract}. */
    static ContractRun of(Class<?> contract, Predicate<Rule> wanted) {
        return of(contract, Map.of(), wanted);
    }

    /** Runs the wanted rules of {@code contract} with these configuration parameters of JUnit. */
    public static ContractRun of(Class<?> contract, Map<String, String> parameters, Predicate<Rule> wanted) {
        PostDiscoveryFilter onlyWanted =
                test -> FilterResult.includedIf(ruleOf(test).filter(wanted).isPresent());
        EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                .selectors(DiscoverySelectors.selectClass(contract))
                .filters(onlyWanted)
                .configurationParameters(parameters)
                .execute();
        results.containerEvents().assertStatistics(statistics -> statistics.failed(0));
        Map<String, Rule> rules = results.testEvents()
                .started()
                .map(event -> ruleOf(event.getTestDescriptor()).orElseThrow())
                .collect(Collectors.toMap(Rule::value, rule -> rule));
        SortedMap<String, String> messages = new TreeMap<>(Comparator.comparing(ContractRun::place));
        results.testEvents().failed().stream()
                .forEach(event -> messages.put(
                        ruleOf(event.getTestDescriptor()).orElseThrow().value(), messageOf(event)));
        Map<String, String> trials = new HashMap<>();
        results.allEvents().reportingEntryPublished().stream()
                .forEach(event -> trials.put(
                        ruleOf(event.getTestDescriptor()).orElseThrow().value(),
                        event.getRequiredPayload(ReportEntry.class)
                                .getKeyValuePairs()
                                .get("counterkit.trials")));
        return new ContractRun(rules, messages, trials);
    }

    /** Returns the rules that failed. */
    public Set<String> broken() {
        return messages.keySet();
    }

    /** Returns the place of a rule in SPEC.md. */
    private static int place(String rule) {
        String[] numbers = rule.split("\\.", 2);
        return 100 * Integer.parseInt(numbers[0]) + Integer.parseInt(numbers[1]);
    }

    private static String messageOf(Event failed) {
        return failed.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .map(Throwable::getMessage)
                .orElse("");
    }

    private static Optional<Rule> ruleOf(TestDescriptor test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getJavaMethod().getAnnotation(Rule.class));
    }

    /** Provides the flaw of this run to a contract. */
    static final class FlawParameter implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Flaw.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return Flaws.thatDoes(context.getConfigurationParameter(FLAW).orElseThrow());
        }
    }
}
