package io.counterkit;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The total of a counter as it was at one moment.
 *
 * @param value the total; 0 for an absent counter
 * @param asOf the moment, by the clock of the store where it has one; for people to read, not to compute ages with
 * @param staleness how old the value may have been when it was handed out, measured without comparing the clocks of
 *     two machines; zero for a strong read
 */
public record Reading(long value, Instant asOf, Duration staleness) {
    public Reading {
        Objects.requireNonNull(asOf, "asOf");
        Objects.requireNonNull(staleness, "staleness");
    }
}
