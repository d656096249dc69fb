package io.counterkit.tck;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assumptions;

/**
 * What a test cannot do without: a store, a program. Where it is missing the test fails, so that a build which proves
 * nothing is not green; on a machine where that is known and wanted, the environment variable
 * {@code COUNTERKIT_OPTIONAL_BACKENDS=true} makes the test be skipped instead, with the reason.
 */
public final class Prerequisite {
    private static final String OPTIONAL = "COUNTERKIT_OPTIONAL_BACKENDS";

    private Prerequisite() {}

    /**
     * Returns what {@code open} gives; if that throws, the test fails or is skipped.
     *
     * @throws AssertionError with the failure as its cause, if the prerequisite is required
     */
    public static <T> T required(Callable<T> open) {
        return required(open, Boolean.parseBoolean(System.getenv(OPTIONAL)));
    }

    static <T> T required(Callable<T> open, boolean optional) {
        try {
            return open.call();
        } catch (Exception e) {
            if (optional) {
                return Assumptions.abort(e.getMessage() + " (skipped, since " + OPTIONAL + " is true)");
            }
            throw new AssertionError(
                    e.getMessage() + " (set the environment variable " + OPTIONAL
                            + "=true to skip such tests on this machine)",
                    e);
        }
    }
}
