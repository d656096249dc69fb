package io.counterkit.verification.broken;

import io.counterkit.tck.Rule;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
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
 * @param rules how many rules were run
 * @param failures what each failed rule told
 */
record ContractRun(long rules, SortedMap<String, Throwable> failures) {
    private static final String FLAW = "flaw";

    /** Runs those rules of {@code contract} that are wanted, over a backend with this flaw. */
    static ContractRun of(Class<?> contract, Flaw flaw, Predicate<Rule> wanted) {
        PostDiscoveryFilter onlyWanted =
                test -> FilterResult.includedIf(ruleOf(test).filter(wanted).isPresent());
        EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                .selectors(DiscoverySelectors.selectClass(contract))
                .filters(onlyWanted)
                .configurationParameter(FLAW, flaw.does())
                .execute();
        results.containerEvents().assertStatistics(statistics -> statistics.failed(0));
        SortedMap<String, Throwable> failures = new TreeMap<>();
        results.testEvents().failed().stream()
                .forEach(event -> failures.put(
                        ruleOf(event.getTestDescriptor()).orElseThrow().value(), failureIn(event)));
        return new ContractRun(results.testEvents().started().count(), failures);
    }

    private static Throwable failureIn(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
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
            String does = context.getConfigurationParameter(FLAW).orElseThrow();
            return Objects.requireNonNull(Flaws.byWhatTheyDo().get(does), does);
        }
    }
}
