package io.counterkit.tck;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A class of tests on the store of a fixture: the whole contract, or some of its chapters as nested classes. A nested
 * class uses the fixture of its enclosing class.
 */
public abstract class BackendTests {
    @RegisterExtension
    final BeforeEachCallback nesting = this::findEnclosing;

    private @Nullable BackendTests enclosing;

    /** Creates the store for one test. Returns the store of the enclosing class unless a subclass overrides it. */
    protected BackendFixture createFixture() {
        if (enclosing == null) {
            throw new IllegalStateException(
                    getClass().getName() + " has no store: override createFixture() in it, or nest it in a subclass of "
                            + BackendTests.class.getName() + " that does");
        }
        return enclosing.createFixture();
    }

    private void findEnclosing(ExtensionContext context) {
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            if (instance == this) {
                return;
            }
            if (instance instanceof BackendTests tests) {
                enclosing = tests;
            }
        }
    }
}
