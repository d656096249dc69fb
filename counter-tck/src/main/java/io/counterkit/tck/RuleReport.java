package io.counterkit.tck;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Tells with every failure which rule was broken, what it is for, and where to look. */
final class RuleReport implements TestExecutionExceptionHandler {
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) {
        Rule rule = context.getRequiredTestMethod().getAnnotation(Rule.class);
        if (rule == null) {
            throw new AssertionError(context.getDisplayName() + " failed: " + failure, failure);
        }
        throw new AssertionError(
                "Rule " + rule.value() + ": " + Spec.load().rules().get(rule.value()) + "\nWhere to look: "
                        + rule.lookAt() + "\nWhat happened: " + failure,
                failure);
    }
}
