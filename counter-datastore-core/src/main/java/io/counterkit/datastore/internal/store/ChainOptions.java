package io.counterkit.datastore.internal.store;

import io.counterkit.spi.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * The options of the algorithm. Those of each backend state and check them.
 *
 * @param kindPrefix what the kinds of the stored entities start with
 * @param retention how long a token is remembered
 * @param pauses the pauses between retries
 * @param maxAttempts how often one operation is tried in all
 * @param mostGroups the most entity groups of one transaction
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
    public static final int GROUPS_EVERYWHERE = 25;

    /** The most entity groups that options accept: a commit stays well below the store's limits on its size. */
    public static final int MOST_GROUPS = 500;

    /**
     * Checks {@code kindPrefix}.
     *
     * @throws IllegalArgumentException if it is not 1 to 100 letters, digits and underscores, a letter first
     */
    public static String checkKindPrefix(String kindPrefix) {
        if (!kindPrefix.matches("[A-Za-z][A-Za-z0-9_]{0,99}")) {
            throw new IllegalArgumentException(
                    "kindPrefix '" + kindPrefix + "': use 1 to 100 letters, digits and underscores, a letter first");
        }
        return kindPrefix;
    }

    /**
     * Checks {@code entityGroups}.
     *
     * @throws IllegalArgumentException if it is below 25 or above 500
     */
    public static int checkGroups(int entityGroups) {
        if (entityGroups < GROUPS_EVERYWHERE || entityGroups > MOST_GROUPS) {
            throw new IllegalArgumentException(
                    "entityGroups " + entityGroups + ": use " + GROUPS_EVERYWHERE + " to " + MOST_GROUPS);
        }
        return entityGroups;
    }

    /** Checks {@code maxAttempts}, which is at least 1. */
    public static int checkAttempts(int maxAttempts) {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts " + maxAttempts + ": use 1 or more");
        }
        return maxAttempts;
    }
}
