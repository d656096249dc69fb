package io.counterkit.datastore.internal.store;

import io.counterkit.spi.Backoff;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * The options of the algorithm, with their defaults and bounds.
 *
 * @param kindPrefix the prefix of the kinds of all stored entities
 * @param retention how long a token is remembered
 * @param pauses the pauses between retries
 * @param maxAttempts the maximum number of attempts of one operation
 * @param mostGroups the maximum number of entity groups of one transaction
 * @param random the source of the jitter of pauses, and of tokens; thread-safe
 */
public record ChainOptions(
        String kindPrefix,
        Duration retention,
        Backoff pauses,
        int maxAttempts,
        int mostGroups,
        InstantSource clock,
        RandomGenerator random) {
    /** The most entity groups of one transaction that every kind of Datastore accepts. */
    private static final int GROUPS_EVERYWHERE = 25;

    /** The most entity groups that options accept: a commit stays well below the store's limits on its size. */
    private static final int MOST_GROUPS = 500;

    /** Returns the default of each option. */
    public static ChainOptions defaults() {
        return new ChainOptions(
                "CounterKit",
                Duration.ofHours(24),
                Backoff.between(Duration.ofMillis(5), Duration.ofMillis(200)),
                1_000,
                GROUPS_EVERYWHERE,
                InstantSource.system(),
                new Random());
    }

    /**
     * Returns the same options with this prefix of kinds.
     *
     * @throws IllegalArgumentException if it is not 1 to 100 letters, digits and underscores, a letter first
     */
    public ChainOptions withKindPrefix(String kindPrefix) {
        if (!kindPrefix.matches("[A-Za-z][A-Za-z0-9_]{0,99}")) {
            throw new IllegalArgumentException(
                    "kindPrefix '" + kindPrefix + "': use 1 to 100 letters, digits and underscores, a letter first");
        }
        return new ChainOptions(kindPrefix, retention, pauses, maxAttempts, mostGroups, clock, random);
    }

    /**
     * Returns the same options with this retention.
     *
     * @throws IllegalArgumentException if it is not 1 hour to 3,650 days
     */
    public ChainOptions withRetention(Duration retention) {
        Limits.checkRetention("retention", retention);
        return new ChainOptions(kindPrefix, retention, pauses, maxAttempts, mostGroups, clock, random);
    }

    /**
     * Returns the same options with these pauses.
     *
     * @throws IllegalArgumentException if not 0 &lt; {@code first} ≤ {@code longest} ≤ 1 day
     */
    public ChainOptions withPauses(Duration first, Duration longest) {
        if (first.isZero() || first.isNegative() || first.compareTo(longest) > 0) {
            throw new IllegalArgumentException("pauses of " + Durations.inWords(first) + " up to "
                    + Durations.inWords(longest) + ": use a first one above zero and a longest one of at least that");
        }
        Backoff pauses = Backoff.between(first, Limits.checkDuration("longest pause", longest));
        return new ChainOptions(kindPrefix, retention, pauses, maxAttempts, mostGroups, clock, random);
    }

    /**
     * Returns the same options with this number of attempts.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public ChainOptions withMaxAttempts(int maxAttempts) {
        Limits.checkAtLeast("maxAttempts", maxAttempts, 1);
        return new ChainOptions(kindPrefix, retention, pauses, maxAttempts, mostGroups, clock, random);
    }

    /**
     * Returns the same options with this number of entity groups.
     *
     * @throws IllegalArgumentException if it is less than 25 or more than 500
     */
    public ChainOptions withMostGroups(int mostGroups) {
        Limits.checkBetween("entityGroups", mostGroups, GROUPS_EVERYWHERE, MOST_GROUPS);
        return new ChainOptions(kindPrefix, retention, pauses, maxAttempts, mostGroups, clock, random);
    }

    /** Returns the same options with this clock. */
    public ChainOptions withClock(InstantSource clock) {
        Objects.requireNonNull(clock, "clock");
        return new ChainOptions(kindPrefix, retention, pauses, maxAttempts, mostGroups, clock, random);
    }
}
