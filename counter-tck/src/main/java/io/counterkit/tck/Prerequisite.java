package io.counterkit.tck;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assumptions;

/**
 * A prerequisite of a test, such as a store or a program. If it is missing, the test is skipped with the reason, so
 * that the project builds without it. If the environment variable {@code COUNTERKIT_REQUIRE_BACKENDS} is {@code true},
 * as in CI, the test fails instead.
 */
public final class Prerequisite {
    private static final String REQUIRE = "COUNTERKIT_REQUIRE_BACKENDS";

    private Prerequisite() {}

    /**
     * Returns the result of {@code open}. If {@code open} throws, the test is skipped, or fails if prerequisites are
     * required.
     *
     * @throws AssertionError if {@code open} throws and prerequisites are required; the cause is what it threw
     */
    public static <T> T required(Callable<T> open) {
        return required(open, Boolean.parseBoolean(System.getenv(REQUIRE)));
    }

    static <T> T required(Callable<T> open, boolean required) {
        try {
            return open.call();
        } catch (Exception e) {
            if (required) {
                throw new AssertionError(e.getMessage() + " (required, since " + REQUIRE + " is true)", e);
            }
            return Assumptions.abort(e.getMessage() + " (skipped; " + REQUIRE + "=true makes it fail)");
        }
    }
}
