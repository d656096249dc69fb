package io.counterkit.spring.internal.slice;

import io.counterkit.spring.test.CounterKitTest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Customizes the application of a {@link CounterKitTest}. */
final class TestCustomizerFactory implements ContextCustomizerFactory {
    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        return isCounterKitTest(testClass)
                ? new TestCustomizer(isSlice(testClass) ? outermost(testClass) : null)
                : null;
    }

    /** A nested test uses the fields of the tests around it, so it has their context. */
    private static Class<?> outermost(Class<?> testClass) {
        Class<?> enclosing = testClass.getEnclosingClass();
        return enclosing != null && TestContextAnnotationUtils.searchEnclosingClass(testClass)
                ? outermost(enclosing)
                : testClass;
    }

    private static boolean isCounterKitTest(Class<?> testClass) {
        return TestContextAnnotationUtils.hasAnnotation(testClass, CounterKitTest.class);
    }

    /** Returns whether the test leaves out the application's own components. */
    static boolean isSlice(Class<?> testClass) {
        return isCounterKitTest(testClass)
                && !TestContextAnnotationUtils.hasAnnotation(testClass, SpringBootTest.class);
    }
}
