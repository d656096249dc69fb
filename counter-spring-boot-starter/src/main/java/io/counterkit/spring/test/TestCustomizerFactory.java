package io.counterkit.spring.test;

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
        return isCounterKitTest(testClass) ? new TestCustomizer(isSlice(testClass)) : null;
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
