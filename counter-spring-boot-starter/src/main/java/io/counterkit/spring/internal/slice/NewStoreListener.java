package io.counterkit.spring.internal.slice;

import org.springframework.core.Ordered;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.support.DependencyInjectionTestExecutionListener;
import org.springframework.test.context.support.DirtiesContextTestExecutionListener;

/** Ends the context of a slice after each test method, so that the next one begins with an empty store. */
final class NewStoreListener implements TestExecutionListener, Ordered {
    /** After a test, those with a greater order come first: the transaction of the test ends before its context. */
    @Override
    public int getOrder() {
        return DirtiesContextTestExecutionListener.ORDER;
    }

    @Override
    public void afterTestMethod(TestContext test) {
        if (TestCustomizerFactory.isSlice(test.getTestClass())) {
            test.markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
            test.setAttribute(DependencyInjectionTestExecutionListener.REINJECT_DEPENDENCIES_ATTRIBUTE, true);
        }
    }
}
