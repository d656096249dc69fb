package io.counterkit.combining;

import io.counterkit.spi.Timers;
import java.time.Duration;

/** Makes what holds requests, bounded by their number only. */
final class Waiting {
    private Waiting() {}

    static Outstanding atMost(int requests, Duration timeout) {
        return new Outstanding(requests, Long.MAX_VALUE, timeout, Timers.named("counterkit-test"));
    }
}
