package io.counterkit.datastore.common;

import io.counterkit.datastore.internal.store.ChainOptions;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Random;

/** The options that the backends on a Datastore have in common. Immutable and thread-safe; the builder is neither. */
public abstract class DatastoreBackendOptions {
    /** The most entity groups of one transaction that every kind of Datastore accepts. */
    private static final int GROUPS_EVERYWHERE = 25;

    /** The most entity groups that options accept: a commit stays well below the store's limits on its size. */
    private static final int MOST_GROUPS = 500;

    private final ChainOptions chains;

    /** Creates the options that a builder has collected. */
    protected DatastoreBackendOptions(Builder<?> builder) {
        chains = new ChainOptions(
                builder.kindPrefix,
                builder.retention,
                builder.pauses,
                builder.maxAttempts,
                builder.entityGroups,
                builder.clock,
                new Random());
    }

    /** Returns the prefix of the kinds of all stored entities. */
    public final String kindPrefix() {
        return chains.kindPrefix();
    }

    /** Returns how long a token is remembered. */
    public final Duration retention() {
        return chains.retention();
    }

    /** Returns the pauses between retries. */
    public final Backoff pauses() {
        return chains.pauses();
    }

    /** Returns the maximum number of attempts of one operation. */
    public final int maxAttempts() {
        return chains.maxAttempts();
    }

    /** Returns the maximum number of entity groups of one transaction. */
    public final int entityGroups() {
        return chains.mostGroups();
    }

    /** Returns the clock. */
    public final InstantSource clock() {
        return chains.clock();
    }

    final ChainOptions chains() {
        return chains;
    }

    /**
     * Collects options. Each method throws {@link IllegalArgumentException} if its value is not valid.
     *
     * @param <B> the builder's own class
     */
    public abstract static class Builder<B extends Builder<B>> {
        private String kindPrefix = "CounterKit";
        private Duration retention = Duration.ofHours(24);
        private Backoff pauses = Backoff.between(Duration.ofMillis(5), Duration.ofMillis(200));
        private int maxAttempts = 1_000;
        private int entityGroups = GROUPS_EVERYWHERE;
        private InstantSource clock = InstantSource.system();

        /** Creates a builder that starts from the defaults. */
        protected Builder() {}

        /** Returns this builder. */
        protected abstract B self();

        /**
         * Sets the prefix of the kinds of all stored entities: 1 to 100 letters, digits and underscores, a letter
         * first. Default {@code CounterKit}. Backends with different prefixes share no counters or sequences.
         */
        public final B kindPrefix(String kindPrefix) {
            if (!kindPrefix.matches("[A-Za-z][A-Za-z0-9_]{0,99}")) {
                throw new IllegalArgumentException("kindPrefix '" + kindPrefix
                        + "': use 1 to 100 letters, digits and underscores, a letter first");
            }
            this.kindPrefix = kindPrefix;
            return self();
        }

        /**
         * Sets how long a token is remembered at least, 1 hour to 3,650 days; {@link DatastoreBackend#purgeTokens}
         * removes older tokens. Default 24 hours, as with every backend.
         */
        public final B retention(Duration retention) {
            this.retention = Limits.checkRetention("retention", retention);
            return self();
        }

        /**
         * Sets the pause before the first retry and the longest pause. Pauses double in between, and each is shortened
         * at random by up to a half. Default 5 ms and 200 ms: from a fraction of the time of one commit to the time of
         * some tens of commits. After contention a pause takes at least as long as the failed attempt, up to a quarter
         * of the time left.
         */
        public final B pauses(Duration first, Duration longest) {
            if (first.isZero() || first.isNegative() || first.compareTo(longest) > 0) {
                throw new IllegalArgumentException("pauses of " + Durations.inWords(first) + " up to "
                        + Durations.inWords(longest)
                        + ": use a first pause above zero, and a longest pause that is not shorter");
            }
            pauses = Backoff.between(first, Limits.checkDuration("longest pause", longest));
            return self();
        }

        /**
         * Sets the maximum number of attempts of one operation, 1 or more. Default 1,000: the deadline usually passes
         * first.
         */
        public final B maxAttempts(int maxAttempts) {
            this.maxAttempts = Limits.checkAtLeast("maxAttempts", maxAttempts, 1);
            return self();
        }

        /**
         * Sets the maximum number of entity groups of one transaction, 25 to 500: each entry and each token is one.
         * Default 25, which every kind of Datastore accepts. A Firestore in Datastore mode has no such limit, unless
         * its concurrency mode is "optimistic with entity groups": there a higher number makes larger batches where
         * many threads use one name.
         */
        public final B entityGroups(int entityGroups) {
            this.entityGroups = Limits.checkBetween("entityGroups", entityGroups, GROUPS_EVERYWHERE, MOST_GROUPS);
            return self();
        }

        /**
         * Sets the clock for entries, readings and the retention of tokens. Default the system's clock. The retention
         * does not depend on the clocks of the processes that write: see {@link DatastoreBackend#purgeTokens}.
         */
        public final B clock(InstantSource clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return self();
        }
    }
}
