package io.counterkit;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The total of a counter at one moment.
 *
 * @param value the total; 0 for an absent counter
 * @param asOf the moment, by the store's clock if it has one. It is for display, and not for computing ages
 * @param staleness an upper bound of the value's age when it was returned, measured without comparing the clocks of
 *     different machines; zero for a strong read
 */
public record Reading(long value, Instant asOf, Duration staleness) {
    public Reading {
        Objects.requireNonNull(asOf, "asOf");
        Objects.requireNonNull(staleness, "staleness");
    }
}
