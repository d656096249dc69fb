package io.counterkit.firestore;

import io.counterkit.firestore.internal.client.TokenRetention;
import io.counterkit.firestore.internal.stamp.Stamps;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How {@link FirestoreCounterBackend} stores counters. Processes that share counters must have equal options, except the
 * shard counts, the seeding, the write strategy, the commits in flight, the write rates and the deadline. They may differ
 * in the prefix that is kept fresh, unless they ask for the largest counters. Immutable and thread-safe; the builder is
 * neither.
 */
public final class FirestoreCounterOptions {
    /** The most shards of one counter: as many as one billed read of the server-side sum covers. */
    public static final int MAX_SHARDS = 1000;

    private static final int DEFAULT_SHARDS = 10;

    private static final FirestoreCounterOptions DEFAULTS = builder().build();

    private final Settings settings;
    private final Layout layout;

    private FirestoreCounterOptions(Settings settings, Layout layout) {
        this.settings = settings;
        this.layout = layout;
        new TokenRetention(settings.retention).checkDeadline(settings.deadline);
        if (settings.writeStrategy == WriteStrategy.STAMP && layout.countField().equals(Stamps.FIELD)) {
            throw new IllegalArgumentException("count field '" + layout.countField()
                    + "': with stamps, this field of a shard holds the stamps, so choose another name");
        }
        if (settings.maxShards > 0) {
            checkAdaptive();
        }
    }

    private void checkAdaptive() {
        String range = settings.minShards + " to " + settings.maxShards + " adaptive shards";
        if (layout.hasFlatShards()) {
            throw new IllegalArgumentException(range + " with flat shards: other software may use these collections, so"
                    + " their shard counts are not changed without a call; use reshard instead");
        }
        if (settings.shards != null && (settings.shards < settings.minShards || settings.shards > settings.maxShards)) {
            throw new IllegalArgumentException(
                    range + " that begin with " + settings.shards + ": begin with a number within this range");
        }
    }

    /** The options other than names, with their default values. */
    private static final class Settings implements Cloneable {
        private @Nullable Integer shards;
        private int minShards;
        private int maxShards;
        private Seeding seeding = Seeding.AT_CREATION;
        private WriteStrategy writeStrategy = WriteStrategy.INCREMENT;
        private Duration retention = Duration.ofHours(24);
        private Duration rollupCadence = Duration.ofSeconds(1);
        private @Nullable String freshPrefix;
        private int commitsInFlight = 4;
        private @Nullable Double writesPerShard;
        private int writeBurst = 10;
        private Duration listenerLinger = Duration.ofSeconds(30);
        private boolean isCheckedAtStart;
        private Duration deadline = Duration.ofSeconds(20);

        Settings copy() {
            try {
                return (Settings) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Returns the defaults that the builder states. */
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
        if (settings.shards != null) {
            return settings.shards;
        }
        return hasAdaptiveShards()
                ? Math.max(settings.minShards, Math.min(DEFAULT_SHARDS, settings.maxShards))
                : DEFAULT_SHARDS;
    }

    /** Returns whether shard counts follow the load. */
    public boolean hasAdaptiveShards() {
        return settings.maxShards > 0;
    }

    /** Returns the fewest shards that a counter gets when shard counts follow the load; 0 if they do not. */
    public int minShards() {
        return settings.minShards;
    }

    /** Returns the most shards that a counter gets when shard counts follow the load; 0 if they do not. */
    public int maxShards() {
        return settings.maxShards;
    }

    /** Returns when shards are created. */
    public Seeding seeding() {
        return settings.seeding;
    }

    /** Returns how an add changes its shard. */
    public WriteStrategy writeStrategy() {
        return settings.writeStrategy;
    }

    /** Returns how long a token is remembered. */
    public Duration retention() {
        return settings.retention;
    }

    /** Returns the shortest time between two roll-ups of one counter. */
    public Duration rollupCadence() {
        return settings.rollupCadence;
    }

    /** Returns the prefix of the counters whose roll-ups are kept fresh; null if none are. */
    public @Nullable String freshPrefix() {
        return settings.freshPrefix;
    }

    /** Returns the most commits of adds in flight at once. */
    public int commitsInFlight() {
        return settings.commitsInFlight;
    }

    /** Returns the sustained writes per second of a process to one shard; null for the default. */
    public @Nullable Double writesPerShard() {
        return settings.writesPerShard;
    }

    /** Returns the most writes to one shard at once. */
    public int writeBurst() {
        return settings.writeBurst;
    }

    /** Returns how long a listener stays open after the last watch of its counter. */
    public Duration listenerLinger() {
        return settings.listenerLinger;
    }

    /** Returns whether a new backend checks what is deployed. */
    public boolean isCheckedAtStart() {
        return settings.isCheckedAtStart;
    }

    /** Returns the deadline of the backend's own methods. */
    public Duration deadline() {
        return settings.deadline;
    }

    /** Collects options. Each method checks its value. */
    public static final class Builder extends LayoutBuilder {
        private final Settings settings = new Settings();

        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /**
         * Sets the number of shards of a counter that its first add creates, 1 to 1,000. Default 10. Adds to one counter
         * are merged before they are sent, so a process needs one shard for each commit in flight, not for each caller.
         */
        public Builder shards(int shards) {
            settings.shards = checkShards(shards);
            return this;
        }

        /**
         * Lets the shard count of each counter follow its load, from {@code min} to {@code max} shards. By default a shard
         * count changes only by {@link FirestoreCounterBackend#reshard}. A counter that its first add creates begins with
         * {@link #shards}, by default 10 or what of {@code min} and {@code max} is nearest.
         *
         * <p>Each process decides for itself, from its own adds. It raises a shard count after at least a minute, if its
         * commits exceeded what the shards should get by {@link #writesPerShard} (1 a second where that sets no limit), if
         * one in twenty met the lock of another writer, or if they waited 50 ms on average for a shard; to {@code min} at
         * least. A counter that has fewer shards than {@code min} keeps them until then. It lowers a shard
         * count after at least an hour in which a quarter of the shards would have been enough, if the last writes of all
         * processes say the same. A process changes only a count that the store still has, and observes a new one for as
         * long again. So a shard count is raised about once a minute at most, however many processes add. Other processes
         * learn of a change when they want one themselves; adds with an old count are not lost, as with {@code reshard}.
         *
         * <p>Looking at the load costs nothing in the store, and a counter without adds is not looked at. Raising costs
         * what {@code reshard} costs, or one read if another process has raised the count already. Before a count is
         * lowered, once an hour at most in each process, a read for each shard. The change runs in the background; if it
         * fails, the shard count is as it was and a later look decides again, or it is lowered and surplus shards keep a
         * part of the total. Every read includes that part. The next look of this process moves it; if the process has
         * ended, it stays there until the count is lowered again, or {@code reshard} sets it.
         *
         * @param min the fewest shards, 1 or more
         * @param max the most shards, more than {@code min} and at most 1,000
         */
        public Builder adaptiveShards(int min, int max) {
            if (min >= max) {
                throw new IllegalArgumentException(
                        min + " to " + max + " adaptive shards: use a larger maximum, or a fixed number of shards");
            }
            settings.minShards = checkShards(min);
            settings.maxShards = checkShards(max);
            return this;
        }

        /** Sets when shards are created. Default {@link Seeding#AT_CREATION}. */
        public Builder seeding(Seeding seeding) {
            settings.seeding = Objects.requireNonNull(seeding, "seeding");
            return this;
        }

        /** Sets how an add changes its shard. Default {@link WriteStrategy#INCREMENT}. */
        public Builder writeStrategy(WriteStrategy writeStrategy) {
            settings.writeStrategy = Objects.requireNonNull(writeStrategy, "writeStrategy");
            return this;
        }

        /**
         * Sets how long a token is remembered, 1 hour to 3,650 days, by Firestore's clock. Default 24 hours, as in every
         * backend. It must exceed every deadline by at least 10 minutes, since a change that is sent for longer than its
         * token is remembered could be applied twice. Such a change is refused.
         */
        public Builder retention(Duration retention) {
            settings.retention = Limits.checkRetention("retention", retention);
            return this;
        }

        /**
         * Sets the shortest time between two roll-ups of one counter. Default 1 second, the rate of writes that one
         * document sustains. A shorter time, down to zero, has an effect with an emulator only: elsewhere it is 1 second,
         * since pages may listen to the document. Reads with a bound on staleness that had to sum write a roll-up, and so
         * does {@link #keepFresh}; an application without either writes none.
         */
        public Builder rollupCadence(Duration cadence) {
            if (cadence.isNegative()) {
                throw new IllegalArgumentException(
                        "roll-up cadence " + Durations.inWords(cadence) + ": use zero or more");
            }
            settings.rollupCadence = cadence;
            return this;
        }

        /**
         * Keeps the roll-ups of the counters whose names start with {@code prefix} fresh; an empty prefix means all.
         * About one {@link #rollupCadence} after this process has changed such a counter, it sums the counter and writes
         * its roll-up. By default no roll-up is kept fresh.
         *
         * <p>This is for hot counters, for counters that browsers listen to, and for {@code top}: if every process that
         * changes the counters has this option, {@code top} under the prefix is one query. A counter costs two reads and
         * a write for each cadence in which it changes. Closing the backend writes pending roll-ups; those of a killed
         * process are late until the next change or {@link FirestoreCounterBackend#rollUp}. Call {@code rollUp} once
         * when you turn this on over existing counters.
         *
         * <p>A process renews up to 500 roll-ups a second, and the others later: Google advises fewer than 1,000 writes a
         * second into a collection that has listeners. With more than a process whose counters change that fast, use a
         * longer cadence or further collections of counters.
         */
        public Builder keepFresh(String prefix) {
            settings.freshPrefix = prefix.isEmpty() ? prefix : Limits.checkName("prefix", prefix);
            return this;
        }

        /**
         * Sets the most commits of adds in flight at once, 1 to 100. Default 4. Further adds wait and are merged. {@link
         * WriteStrategy#TRANSACTION} always has one.
         */
        public Builder commitsInFlight(int commits) {
            if (commits < 1 || commits > 100) {
                throw new IllegalArgumentException(
                        "commits in flight " + commits + ": use 1 to 100, the capacity of one channel of the client");
            }
            settings.commitsInFlight = commits;
            return this;
        }

        /**
         * Limits how often a process writes to one shard. Further adds wait, up to the bound of the queue, and are
         * merged, so commits slow down. Default 1 per second with a burst of 10, a cautious reading of what one document
         * sustains; with an emulator there is no limit by default.
         *
         * @param perSecond the sustained writes per second, more than zero; {@code Double.POSITIVE_INFINITY} for no limit
         * @param burst the most writes at once, 1 or more
         */
        public Builder writesPerShard(double perSecond, int burst) {
            if (!(perSecond > 0)) {
                throw new IllegalArgumentException("writes per shard " + perSecond + " a second: use more than zero");
            }
            if (burst < 1) {
                throw new IllegalArgumentException("burst of " + burst + " writes: use 1 or more");
            }
            settings.writesPerShard = perSecond;
            settings.writeBurst = burst;
            return this;
        }

        /**
         * Sets how long the listener on a counter's document stays open after the last watch of the counter was closed, 1
         * ms to 1 day. Default 30 seconds: listeners that come and go cost the store more than ones that stay. While it
         * is open, each roll-up of the counter costs a read. If 40 listeners are open, one without a watch makes room.
         */
        public Builder listenerLinger(Duration linger) {
            settings.listenerLinger = Limits.checkDuration("listener linger", linger);
            return this;
        }

        /**
         * Lets {@link FirestoreCounterBackend#create(com.google.cloud.firestore.Firestore, FirestoreCounterOptions)} check
         * what is deployed, as {@link FirestoreCounterBackend#checkDeployment} does, in the background. It logs a warning for
         * each part that is missing, with the command that deploys it, and one if the check fails. The logger of {@link
         * System#getLogger} is {@code io.counterkit.firestore}. By default nothing is checked. Costs about 130 reads for each
         * backend that is created.
         */
        public Builder checkAtStart() {
            settings.isCheckedAtStart = true;
            return this;
        }

        /**
         * Sets the deadline of the methods that only this backend has, 1 ms to 1 day, and at least 10 minutes less than
         * the {@link #retention}. Default 20 seconds, as in {@code CountersOptions}.
         */
        public Builder deadline(Duration deadline) {
            settings.deadline = Limits.checkDuration("deadline", deadline);
            return this;
        }

        /**
         * Creates the options.
         *
         * @throws IllegalArgumentException if two collections or fields have the same name, the deadline is too long for
         *     the retention, or the shards are adaptive and flat, or begin with a number outside their range
         */
        public FirestoreCounterOptions build() {
            return new FirestoreCounterOptions(settings.copy(), layout());
        }
    }

    static int checkShards(int shards) {
        return Limits.checkBetween("shard count", shards, 1, MAX_SHARDS);
    }
}
