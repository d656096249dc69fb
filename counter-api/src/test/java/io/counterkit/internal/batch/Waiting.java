package io.counterkit.internal.batch;

import io.counterkit.CountersListener;
import io.counterkit.spi.Timers;
import java.time.Duration;

/** Creates pending requests with a limit of their number only. */
final class Waiting {
    private Waiting() {}

    static PendingRequests atMost(int requests, Duration timeout) {
        return new PendingRequests(
                requests, Long.MAX_VALUE, timeout, CountersListener.disabled(), Timers.named("counterkit-test"));
    }
}
