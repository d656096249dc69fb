package io.counterkit.datastore.internal.store;

import io.counterkit.spi.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Options of the operations on chains.
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
        RandomGenerator random) {}
