package io.counterkit.tck.internal.report;

import io.counterkit.spi.Reasons;
import io.counterkit.tck.Rule;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Adds to each failure the broken rule, its intent, and where to look. */
public final class RuleReport implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) {
        Rule rule = ruleOf(context);
        throw rule == null
                ? new AssertionError(context.getDisplayName() + " failed: " + failure, failure)
                : report(context, rule, Spec.load().rules().get(rule.value()), rule.lookAt(), failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) {
        throw around(context, "could not start", "how the fixture creates the store and connects", failure);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure) {
        throw around(
                context,
                "ended, and then closing failed",
                "close() of the fixture and of the backend, which must have no effect when it is called again; calls"
                        + " that never end",
                failure);
    }

    private static AssertionError around(ExtensionContext context, String when, String lookAt, Throwable failure) {
        Rule rule = ruleOf(context);
        return rule == null
                ? new AssertionError(context.getDisplayName() + " " + when + ": " + failure, failure)
                : report(context, rule, "its test " + when, lookAt, failure);
    }

    private static AssertionError report(
            ExtensionContext context, Rule rule, @Nullable String text, String lookAt, Throwable failure) {
        return new AssertionError(
                "Rule " + rule.value() + ": " + text + "\nWhere to look: " + lookAt + "\nWhat happened: " + failure
                        + "\nIn the kit: " + placeOf(context, failure),
                failure);
    }

    /** Returns the innermost line of a rule's test in the failure; its method if the failure was created elsewhere. */
    private static String placeOf(ExtensionContext context, Throwable failure) {
        Method test = context.getRequiredTestMethod();
        return Reasons.chain(failure)
                .flatMap(cause -> Stream.of(cause.getStackTrace()))
                .filter(frame -> frame.getMethodName().contains("spec")
                        && frame.getClassName().startsWith("io.counterkit.tck."))
                .findFirst()
                .map(StackTraceElement::toString)
                .orElse(test.getDeclaringClass().getName() + "." + test.getName());
    }

    private static @Nullable Rule ruleOf(ExtensionContext context) {
        return context.getTestMethod()
                .map(method -> method.getAnnotation(Rule.class))
                .orElse(null);
    }
}
