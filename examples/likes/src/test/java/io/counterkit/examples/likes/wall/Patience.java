package io.counterkit.examples.likes.wall;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long the tests of this package wait for what has to come. */
final class Patience {
    private Patience() {}

    /** Waits longer than a busy machine takes. */
    static ConditionFactory patiently() {
        return Awaitility.await().atMost(Duration.ofMinutes(1));
    }
}
