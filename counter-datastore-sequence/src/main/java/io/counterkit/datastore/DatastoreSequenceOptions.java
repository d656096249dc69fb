package io.counterkit.datastore;

import com.google.appengine.api.NamespaceManager;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How the backend uses its Datastore. Immutable and thread-safe; the builder is neither. */
public final class DatastoreSequenceOptions {
    private static final DatastoreSequenceOptions DEFAULTS = builder().build();

    private final @Nullable String namespace;
    private final String kindPrefix;
    private final TailStrategy tailStrategy;
    private final Duration retention;
    private final Duration firstPause;
    private final Duration longestPause;
    private final int maxAttempts;
    private final InstantSource clock;
    private final RandomGenerator random;

    private DatastoreSequenceOptions(Builder builder) {
        namespace = builder.namespace;
        kindPrefix = builder.kindPrefix;
        tailStrategy = builder.tailStrategy;
        retention = builder.retention;
        firstPause = builder.firstPause;
        longestPause = builder.longestPause;
        maxAttempts = builder.maxAttempts;
        clock = builder.clock;
        random = builder.random;
    }

    /** Every option as its builder method states it. */
    public static DatastoreSequenceOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The namespace of everything that is stored; null for that of the thread that creates the backend. */
    public @Nullable String namespace() {
        return namespace;
    }

    /** What the kinds of the stored entities start with. */
    public String kindPrefix() {
        return kindPrefix;
    }

    /** How the newest number is found by a process that has not used the name yet. */
    public TailStrategy tailStrategy() {
        return tailStrategy;
    }

    /** How long a token is remembered. */
    public Duration retention() {
        return retention;
    }

    /** About how long the first retry waits. */
    public Duration firstPause() {
        return firstPause;
    }

    /** The longest that a retry waits. */
    public Duration longestPause() {
        return longestPause;
    }

    /** How often one operation is tried in all. */
    public int maxAttempts() {
        return maxAttempts;
    }

    /** What time it is. */
    public InstantSource clock() {
        return clock;
    }

    /** Where the jitter of the pauses comes from. */
    public RandomGenerator random() {
        return random;
    }

    /** Collects options; each is checked when it is set. */
    public static final class Builder {
        private @Nullable String namespace;
        private String kindPrefix = "CounterKit";
        private TailStrategy tailStrategy = TailStrategy.QUERY_THEN_PROBE;
        private Duration retention = Duration.ofHours(24);
        private Duration firstPause = Duration.ofMillis(5);
        private Duration longestPause = Duration.ofMillis(200);
        private int maxAttempts = 1_000;
        private InstantSource clock = InstantSource.system();
        private RandomGenerator random = new Random();

        private Builder() {}

        /**
         * The namespace of everything that is stored, empty for the default one. Without it, the one that is current
         * for the thread that creates the backend, or the default one if that thread has no environment. It stays, whatever is current for the threads that use it: make a
         * backend for each tenant.
         */
        public Builder namespace(String namespace) {
            NamespaceManager.validateNamespace(namespace);
            this.namespace = namespace;
            return this;
        }

        /**
         * What the kinds of the stored entities start with: letters, digits and underscores, a letter first. Default
         * {@code CounterKit}. Whoever writes the same names under another prefix counts something else.
         */
        public Builder kindPrefix(String kindPrefix) {
            if (!kindPrefix.matches("[A-Za-z][A-Za-z0-9_]{0,99}")) {
                throw new IllegalArgumentException("kindPrefix '" + kindPrefix
                        + "': use 1 to 100 letters, digits and underscores, a letter first");
            }
            this.kindPrefix = kindPrefix;
            return this;
        }

        /** How the newest number is found by a process that has not used the name yet. Default the query, then probing. */
        public Builder tailStrategy(TailStrategy tailStrategy) {
            this.tailStrategy = Objects.requireNonNull(tailStrategy, "tailStrategy");
            return this;
        }

        /**
         * How long a token is remembered at least, 1 hour to 3,650 days; {@link DatastoreSequenceBackend#purgeTokens}
         * removes older ones. Default 24 hours, as with every backend.
         */
        public Builder retention(Duration retention) {
            this.retention = Limits.checkRetention("retention", retention);
            return this;
        }

        /**
         * About how long the first retry waits, and the longest that one waits; in between they double, each up to a
         * half shorter at random. Default 5 ms and 200 ms: from a fraction of one to some tens of commits of others.
         * Whoever met others waits at least as long as that took, up to a quarter of the time left.
         */
        public Builder pauses(Duration first, Duration longest) {
            this.firstPause = positive("first pause", first);
            this.longestPause = positive("longest pause", longest);
            return this;
        }

        /** How often one operation is tried in all, at least 1. Default 1,000: the deadline mostly ends it before. */
        public Builder maxAttempts(int maxAttempts) {
            if (maxAttempts < 1) {
                throw new IllegalArgumentException("maxAttempts " + maxAttempts + ": use 1 or more");
            }
            this.maxAttempts = maxAttempts;
            return this;
        }

        /**
         * What time it is, for entries, readings and the retention of tokens. Default the system's clock. The retention does
         * not depend on the clocks of the processes that write: see {@link DatastoreSequenceBackend#purgeTokens}.
         */
        public Builder clock(InstantSource clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** Where the jitter of the pauses comes from; thread-safe. Default {@link Random}. */
        public Builder random(RandomGenerator random) {
            this.random = Objects.requireNonNull(random, "random");
            return this;
        }

        /** The options as they are now. */
        public DatastoreSequenceOptions build() {
            return new DatastoreSequenceOptions(this);
        }

        private static Duration positive(String what, Duration duration) {
            if (duration.isZero() || duration.isNegative() || duration.compareTo(Duration.ofDays(36_500)) > 0) {
                throw new IllegalArgumentException(what + " " + duration + ": use more than zero, up to 100 years");
            }
            return duration;
        }
    }
}
