package io.counterkit.datastore.cloud;

import io.counterkit.datastore.internal.store.ChainOptions;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;

/** The options of the backend on Google Cloud Datastore. Immutable and thread-safe; the builder is neither. */
public final class DatastoreCounterOptions {
    private static final DatastoreCounterOptions DEFAULTS = builder().build();

    private final String namespace;
    private final String kindPrefix;
    private final Duration retention;
    private final Backoff pauses;
    private final int maxAttempts;
    private final int entityGroups;
    private final int threads;
    private final InstantSource clock;
    private final RandomGenerator random;

    private DatastoreCounterOptions(Builder builder) {
        namespace = builder.namespace;
        kindPrefix = builder.kindPrefix;
        retention = builder.retention;
        pauses = builder.pauses;
        maxAttempts = builder.maxAttempts;
        entityGroups = builder.entityGroups;
        threads = builder.threads;
        clock = builder.clock;
        random = builder.random;
    }

    /** Returns the default of every option, as its builder method states it. */
    public static DatastoreCounterOptions defaults() {
        return DEFAULTS;
    }

    /** Creates a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the namespace of everything that is stored. */
    public String namespace() {
        return namespace;
    }

    /** Returns what the kinds of the stored entities start with. */
    public String kindPrefix() {
        return kindPrefix;
    }

    /** Returns how long a token is remembered. */
    public Duration retention() {
        return retention;
    }

    /** Returns the pauses between retries. */
    public Backoff pauses() {
        return pauses;
    }

    /** Returns how often one operation is tried in all. */
    public int maxAttempts() {
        return maxAttempts;
    }

    /** Returns the most entity groups of one transaction. */
    public int entityGroups() {
        return entityGroups;
    }

    /** Returns how many operations run at once. */
    public int threads() {
        return threads;
    }

    /** Returns the clock. */
    public InstantSource clock() {
        return clock;
    }

    /** Returns the source of the jitter of pauses. */
    public RandomGenerator random() {
        return random;
    }

    ChainOptions ofChains() {
        return new ChainOptions(kindPrefix, retention, pauses, maxAttempts, entityGroups, clock, random);
    }

    /** Collects options. Each method checks its value at once. */
    public static final class Builder {
        private String namespace = "";
        private String kindPrefix = "CounterKit";
        private Duration retention = Duration.ofHours(24);
        private Backoff pauses = Backoff.between(Duration.ofMillis(5), Duration.ofMillis(200));
        private int maxAttempts = 1_000;
        private int entityGroups = ChainOptions.GROUPS_EVERYWHERE;
        private int threads = 32;
        private InstantSource clock = InstantSource.system();
        private RandomGenerator random = new Random();

        private Builder() {}

        /**
         * Sets the namespace of everything that is stored: up to 100 letters, digits, dots, underscores and hyphens. Default
         * empty, the default namespace, whatever the given client's own namespace is.
         */
        public Builder namespace(String namespace) {
            if (!namespace.matches("[0-9A-Za-z._-]{0,100}")) {
                throw new IllegalArgumentException(
                        "namespace '" + namespace + "': use up to 100 letters, digits, dots, underscores and hyphens");
            }
            this.namespace = namespace;
            return this;
        }

        /**
         * Sets what the kinds of the stored entities start with: 1 to 100 letters, digits and underscores, a letter first.
         * Default {@code CounterKit}. Backends with different prefixes share no counters or sequences.
         */
        public Builder kindPrefix(String kindPrefix) {
            this.kindPrefix = ChainOptions.checkKindPrefix(kindPrefix);
            return this;
        }

        /**
         * Sets how long a token is remembered at least, 1 hour to 3,650 days; {@link DatastoreCounterBackend#purgeTokens}
         * removes older tokens. Default 24 hours, as with every backend.
         */
        public Builder retention(Duration retention) {
            this.retention = Limits.checkRetention("retention", retention);
            return this;
        }

        /**
         * Sets the pause before the first retry and the longest pause. Pauses double in between, and each is shortened at
         * random by up to a half. Default 5 ms and 200 ms: from a fraction of one commit of another writer to some tens of
         * them. After contention a pause takes at least as long as the failed attempt, up to a quarter of the time left.
         */
        public Builder pauses(Duration first, Duration longest) {
            if (first.isZero() || first.isNegative() || first.compareTo(longest) > 0) {
                throw new IllegalArgumentException(
                        "pauses of " + Durations.inWords(first) + " up to " + Durations.inWords(longest)
                                + ": use a first one above zero and a longest one of at least that");
            }
            this.pauses = Backoff.between(first, Limits.checkDuration("longest pause", longest));
            return this;
        }

        /** Sets how often one operation is tried in all, at least 1. Default 1,000: the deadline mostly ends it before. */
        public Builder maxAttempts(int maxAttempts) {
            this.maxAttempts = ChainOptions.checkAttempts(maxAttempts);
            return this;
        }

        /**
         * Sets the most entity groups of one transaction, 25 to 500: each entry and each token is one. Default 25, which
         * every kind of Datastore accepts. A Firestore in Datastore mode has no such limit, unless its concurrency mode is
         * "optimistic with entity groups": there a higher number makes larger batches where many threads use one name.
         */
        public Builder entityGroups(int entityGroups) {
            this.entityGroups = ChainOptions.checkGroups(entityGroups);
            return this;
        }

        /**
         * Sets how many operations run at once, 1 to 1,000, each on a thread and with a connection of its own. Further ones
         * wait for a thread; requests for one name are combined and use one. A thread ends when it has been idle for 10
         * seconds. Default 32.
         */
        public Builder threads(int threads) {
            if (threads < 1 || threads > 1_000) {
                throw new IllegalArgumentException("threads " + threads + ": use 1 to 1000");
            }
            this.threads = threads;
            return this;
        }

        /**
         * Sets the clock for entries, readings and the retention of tokens. Default the system's clock. The retention does not
         * depend on the clocks of the processes that write: see {@link DatastoreCounterBackend#purgeTokens}.
         */
        public Builder clock(InstantSource clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** Sets the source of the jitter of pauses, which must be thread-safe. Default {@link Random}. */
        public Builder random(RandomGenerator random) {
            this.random = Objects.requireNonNull(random, "random");
            return this;
        }

        /** Creates the options. */
        public DatastoreCounterOptions build() {
            return new DatastoreCounterOptions(this);
        }
    }
}
