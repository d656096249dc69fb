package io.counterkit.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.annotation.Order;

/**
 * Reports why there are no {@link io.counterkit.spring.CounterTransactions}, instead of advice to define a bean, which an application
 * cannot.
 */
@Order(0) // before that of Spring Boot, which has no order
final class NoTransactionsFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {
    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, NoSuchBeanDefinitionException cause, @Nullable String description) {
        // By name, since spring-jdbc may be missing.
        if (cause.getNumberOfBeansFound() > 0
                || cause.getBeanType() == null
                || !cause.getBeanType().getName().equals("io.counterkit.spring.CounterTransactions")) {
            return null;
        }
        return new FailureAnalysis(
                (description == null ? "A component" : description)
                        + " requires CounterTransactions. They exist only if the counters are in the application's"
                        + " database, that is, with exactly one bean JdbcCounterBackend.",
                "Set counterkit.backend=jdbc, or use Counters, which is a bean with every backend. @CounterKitTest keeps"
                        + " the counters in memory whatever the property says: omit it in a test of this component.",
                cause);
    }
}
