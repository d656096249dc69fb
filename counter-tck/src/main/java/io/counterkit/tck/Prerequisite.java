package io.counterkit.tck;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assumptions;

/**
 * What a test cannot do without: a store, a program. Where it is missing the test is skipped and says why, so that a
 * newcomer can build. A build that has to prove something, as in CI, sets the environment variable
 * {@code COUNTERKIT_REQUIRE_BACKENDS=true}, and the test fails instead.
 */
public final class Prerequisite {
    private static final String REQUIRE = "COUNTERKIT_REQUIRE_BACKENDS";

    private Prerequisite() {}

    /**
     * Returns what {@code open} gives; if that throws, the test is skipped, or fails.
     *
     * @throws AssertionError with the failure as its cause, if what is missing is required
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
