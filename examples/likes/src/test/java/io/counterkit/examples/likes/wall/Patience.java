package io.counterkit.examples.likes.wall;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** The longest wait of the tests of this package. */
final class Patience {
    private Patience() {}

    /** Waits long enough for a busy machine. */
    static ConditionFactory patiently() {
        return Awaitility.await().atMost(Duration.ofMinutes(1));
    }
}
