package io.counterkit.verification.broken;

import io.counterkit.tck.Rule;
import java.util.Comparator;
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
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/**
 * What came of running the contract, or some rules of it.
 *
 * @param rules the rules that were run, by number
 * @param told what each that failed told, by number
 */
record ContractRun(Map<String, Rule> rules, SortedMap<String, String> told) {
    private static final String FLAW = "counterkit.flaw";

    /** Runs the rules that are wanted over a backend with this flaw. */
    static ContractRun of(Flaw flaw, Predicate<Rule> wanted) {
        return of(FlawedContract.class, Map.of(FLAW, flaw.does()), wanted);
    }

    /** The same for a flaw that is in no list, with another time limit for each test. */
    static ContractRun of(Flaw flaw, int seconds, Predicate<Rule> wanted) {
        Flaws.alsoFind(flaw);
        return of(
                FlawedContract.class,
                Map.of(FLAW, flaw.does(), "counterkit.timeout", Integer.toString(seconds)),
                wanted);
    }

    /** Runs the rules of {@code contract} that are wanted. */
    static ContractRun of(Class<?> contract, Predicate<Rule> wanted) {
        return of(contract, Map.of(), wanted);
    }

    private static ContractRun of(Class<?> contract, Map<String, String> parameters, Predicate<Rule> wanted) {
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
        SortedMap<String, String> told = new TreeMap<>(Comparator.comparing(ContractRun::place));
        results.testEvents().failed().stream()
                .forEach(event ->
                        told.put(ruleOf(event.getTestDescriptor()).orElseThrow().value(), messageOf(event)));
        return new ContractRun(rules, told);
    }

    Set<String> broken() {
        return told.keySet();
    }

    /** Rules in the order of SPEC.md. */
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

    /** Gives a contract the flaw of this run. */
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
