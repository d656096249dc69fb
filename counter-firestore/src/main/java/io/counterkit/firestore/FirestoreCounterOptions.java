package io.counterkit.firestore;

import io.counterkit.firestore.internal.client.TokenRetention;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of {@link FirestoreCounterBackend}. Processes that share counters must have the same names of collections and
 * fields, and should have the same retention. Processes that call {@code top} must keep the same prefix fresh. All
 * other options may differ. Immutable and thread-safe; the builder is neither.
 */
public final class FirestoreCounterOptions {
    /** The maximum number of shards of one counter: as many as one billed read of the server-side sum covers. */
    public static final int MAX_SHARDS = 1000;

    private static final FirestoreCounterOptions DEFAULTS = builder().build();

    private final Duration retention;
    private final Duration rollupCadence;
    private final @Nullable String freshPrefix;
    private final Duration listenerLinger;
    private final boolean isCheckedAtStart;
    private final Duration deadline;
    private final Sharding sharding;
    private final Layout layout;

    private FirestoreCounterOptions(Builder builder) {
        retention = builder.retention;
        rollupCadence = builder.rollupCadence;
        freshPrefix = builder.freshPrefix;
        listenerLinger = builder.listenerLinger;
        isCheckedAtStart = builder.isCheckedAtStart;
        deadline = builder.deadline;
        sharding = builder.sharding();
        layout = builder.layout();
        new TokenRetention(retention).checkDeadline(deadline);
        sharding.check(layout);
    }

    /** Returns the default options, which the methods of the builder document. */
    public static FirestoreCounterOptions defaults() {
        return DEFAULTS;
    }

    /** Creates a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the names of collections and fields. */
    public Layout layout() {
        return layout;
    }

    /** Returns the number of shards of a counter that its first add creates. */
    public int shards() {
        return sharding.initial();
    }

    /** Returns whether shard counts follow the load. */
    public boolean hasAdaptiveShards() {
        return sharding.isAdaptive();
    }

    /** Returns the minimum shard count when shard counts follow the load; 0 if they do not. */
    public int minShards() {
        return sharding.minShards();
    }

    /** Returns the maximum shard count when shard counts follow the load; 0 if they do not. */
    public int maxShards() {
        return sharding.maxShards();
    }

    /** Returns when shards are created. */
    public Seeding seeding() {
        return sharding.seeding();
    }

    /** Returns how an add changes its shard. */
    public WriteStrategy writeStrategy() {
        return sharding.writeStrategy();
    }

    /** Returns how long a token is remembered. */
    public Duration retention() {
        return retention;
    }

    /** Returns the shortest time between two roll-ups of one counter. */
    public Duration rollupCadence() {
        return rollupCadence;
    }

    /** Returns the prefix of the counters whose roll-ups are kept fresh; null if none are. */
    public @Nullable String freshPrefix() {
        return freshPrefix;
    }

    /** Returns the maximum number of commits of adds in flight at once. */
    public int commitsInFlight() {
        return sharding.commitsInFlight();
    }

    /** Returns the sustained writes per second of a process to one shard; null for the default. */
    public @Nullable Double writesPerShard() {
        return sharding.writesPerShard();
    }

    /** Returns the maximum number of writes to one shard at once. */
    public int writeBurst() {
        return sharding.writeBurst();
    }

    /** Returns how long a listener stays open after the last watch of its counter. */
    public Duration listenerLinger() {
        return listenerLinger;
    }

    /** Returns whether a new backend checks the deployment. */
    public boolean isCheckedAtStart() {
        return isCheckedAtStart;
    }

    /** Returns the deadline of the backend's own methods. */
    public Duration deadline() {
        return deadline;
    }

    /** Collects options. Each method throws {@link IllegalArgumentException} if its value is not valid. */
    public static final class Builder extends ShardingBuilder {
        private Duration retention = Duration.ofHours(24);
        private Duration rollupCadence = Duration.ofSeconds(1);
        private @Nullable String freshPrefix;
        private Duration listenerLinger = Duration.ofSeconds(30);
        private boolean isCheckedAtStart;
        private Duration deadline = Duration.ofSeconds(20);

        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /**
         * Sets how long a token is remembered, 1 hour to 3,650 days, by Firestore's clock. Default 24 hours, as in
         * every backend. It must exceed every deadline by at least 10 minutes, since a change that is sent for longer
         * than its token is remembered could be applied twice. Such a change is refused.
         */
        public Builder retention(Duration retention) {
            this.retention = Limits.checkRetention("retention", retention);
            return this;
        }

        /**
         * Sets the shortest time between two roll-ups of one counter. Default 1 second, the rate of writes that one
         * document sustains. A shorter time, down to zero, has an effect with an emulator only: elsewhere it is 1
         * second, since pages may listen to the document. Roll-ups are written by reads with a bound on staleness that
         * had to sum the shards, and by {@link #keepFresh}.
         */
        public Builder rollupCadence(Duration cadence) {
            if (cadence.isNegative()) {
                throw new IllegalArgumentException(
                        "roll-up cadence " + Durations.inWords(cadence) + ": use zero or more");
            }
            rollupCadence = cadence;
            return this;
        }

        /**
         * Keeps the roll-ups of the counters whose names start with {@code prefix} fresh; an empty prefix means all.
         * About one {@link #rollupCadence} after this process has changed such a counter, it sums the counter and
         * writes its roll-up. By default no roll-up is kept fresh.
         *
         * <p>This is for hot counters, for counters that browsers listen to, and for {@code top}: if every process that
         * changes the counters has this option, {@code top} under the prefix is one query. A counter costs two reads
         * and a write for each cadence in which it changes. Closing the backend writes pending roll-ups; those of a
         * killed process are late until the next change or {@link FirestoreCounterBackend#rollUp}. Call {@code rollUp}
         * once when you turn this on over existing counters.
         *
         * <p>A process renews up to 500 roll-ups a second, and the others later: Google advises fewer than 1,000 writes
         * a second into a collection that has listeners. If the counters of more than one process change that fast, use
         * a longer cadence or more collections of counters.
         */
        public Builder keepFresh(String prefix) {
            freshPrefix = prefix.isEmpty() ? prefix : Limits.checkName("prefix", prefix);
            return this;
        }

        /**
         * Sets how long the listener on a counter's document stays open after the last watch of the counter was closed,
         * 1 ms to 1 day. Default 30 seconds: opening and closing listeners costs the store more than keeping them.
         * While the listener is open, each roll-up of the counter costs a read. If 40 listeners are open, a new one
         * replaces one without a watch. The same holds for the listeners of followed sequences.
         */
        public Builder listenerLinger(Duration linger) {
            this.listenerLinger = Limits.checkDuration("listener linger", linger);
            return this;
        }

        /**
         * Makes {@link FirestoreCounterBackend#create(com.google.cloud.firestore.Firestore, FirestoreCounterOptions)}
         * check the deployment in the background, as {@link FirestoreCounterBackend#checkDeployment} does. Logs a
         * warning for each missing part, with the command that deploys it, and a warning if the check fails. The logger
         * of {@link System#getLogger} is {@code io.counterkit.firestore}. By default nothing is checked. Costs about
         * 130 reads for each backend that is created.
         */
        public Builder checkAtStart() {
            isCheckedAtStart = true;
            return this;
        }

        /**
         * Sets the deadline of the methods that only this backend has, 1 ms to 1 day, and at least 10 minutes less than
         * the {@link #retention}. Default 20 seconds, as in {@code CountersOptions}.
         */
        public Builder deadline(Duration deadline) {
            this.deadline = Limits.checkDuration("deadline", deadline);
            return this;
        }

        /**
         * Creates the options.
         *
         * @throws IllegalArgumentException if two collections or fields have the same name, the deadline is too long
         *     for the retention, or the shards are adaptive and flat, or begin with a number outside their range
         */
        public FirestoreCounterOptions build() {
            return new FirestoreCounterOptions(this);
        }
    }
}
