package io.counterkit.spring.test;

import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.support.DependencyInjectionTestExecutionListener;

/** Ends the context of a slice after each test method, so that the next one begins with an empty store. */
final class NewStoreListener implements TestExecutionListener {
    @Override
    public void afterTestMethod(TestContext test) {
        if (TestCustomizerFactory.isSlice(test.getTestClass())) {
            test.markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
            test.setAttribute(DependencyInjectionTestExecutionListener.REINJECT_DEPENDENCIES_ATTRIBUTE, true);
        }
    }
}
