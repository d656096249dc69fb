package io.counterkit.internal.request;

import io.counterkit.spi.Capability;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.Set;

/** Checks of arguments that several operations have. */
final class Arguments {
    private Arguments() {}

    static void checkPage(String prefix, int limit) {
        if (!prefix.isEmpty()) {
            Limits.checkName("prefix", prefix);
        }
        Limits.checkBetween("limit", limit, 1, Limits.MAX_PAGE);
    }

    static void checkStaleness(Duration maxStaleness) {
        if (maxStaleness.isNegative()) {
            throw new IllegalArgumentException(
                    "maxStaleness " + Durations.inWords(maxStaleness) + ": use zero for a strong read, or more");
        }
    }

    static void checkForward(String forward) {
        Limits.checkText("forward", forward, Limits.MAX_TOKEN_BYTES);
    }

    static void require(Capability capability, Set<Capability> declared) {
        if (!declared.contains(capability)) {
            throw new UnsupportedOperationException(
                    "the store of these counters cannot " + capability.ability() + ": use a backend that can");
        }
    }
}
