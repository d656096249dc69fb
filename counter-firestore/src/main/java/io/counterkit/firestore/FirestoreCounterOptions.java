package io.counterkit.firestore;

import io.counterkit.firestore.internal.client.FieldNames;
import io.counterkit.firestore.internal.token.TokenRetention;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How {@link FirestoreCounterBackend} stores counters. Two processes that share counters must agree on everything but
 * the shard count, the seeding, the write strategy and the commits in flight; on what is kept fresh if they ask for the
 * largest counters. Immutable.
 */
public final class FirestoreCounterOptions {
    /** The most shards of one counter: what one billed read of the server-side sum covers. */
    public static final int MAX_SHARDS = 1000;

    private static final FirestoreCounterOptions DEFAULTS = builder().build();

    private final String counterCollection;
    private final String shardCollection;
    private final String countField;
    private final String shardCountField;
    private final String totalField;
    private final String totalTimeField;
    private final String sequenceCollection;
    private final String tokenCollection;
    private final String importCollection;
    private final int shards;
    private final Seeding seeding;
    private final WriteStrategy writeStrategy;
    private final Duration retention;
    private final Duration rollupCadence;
    private final @Nullable String freshPrefix;
    private final int commitsInFlight;
    private final @Nullable Double writesPerShard;
    private final int writeBurst;
    private final Duration deadline;

    private FirestoreCounterOptions(Builder builder) {
        counterCollection = builder.counterCollection;
        shardCollection = builder.shardCollection;
        countField = builder.countField;
        shardCountField = builder.shardCountField;
        totalField = builder.totalField;
        totalTimeField = builder.totalTimeField;
        sequenceCollection = builder.sequenceCollection;
        tokenCollection = builder.tokenCollection;
        importCollection = builder.importCollection;
        shards = builder.shards;
        seeding = builder.seeding;
        writeStrategy = builder.writeStrategy;
        retention = builder.retention;
        rollupCadence = builder.rollupCadence;
        freshPrefix = builder.freshPrefix;
        commitsInFlight = builder.commitsInFlight;
        writesPerShard = builder.writesPerShard;
        writeBurst = builder.writeBurst;
        deadline = builder.deadline;
    }

    /** Every option as its builder method states it. */
    public static FirestoreCounterOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** The path of the collection of counters. */
    public String counterCollection() {
        return counterCollection;
    }

    /** The collection of shards under each counter. */
    public String shardCollection() {
        return shardCollection;
    }

    /** The field of a shard that holds its part of the total. */
    public String countField() {
        return countField;
    }

    /** The field of a counter that holds how many shards it has. */
    public String shardCountField() {
        return shardCountField;
    }

    /** The field of a counter that holds its roll-up. */
    public String totalField() {
        return totalField;
    }

    /** The field of a counter that holds the moment of its roll-up. */
    public String totalTimeField() {
        return totalTimeField;
    }

    /** The path of the collection of sequences. */
    public String sequenceCollection() {
        return sequenceCollection;
    }

    /** The path of the collection of idempotency tokens. */
    public String tokenCollection() {
        return tokenCollection;
    }

    /** The path of the collection that says which names were imported from another store. */
    public String importCollection() {
        return importCollection;
    }

    /** How many shards a counter gets that is made by its first add. */
    public int shards() {
        return shards;
    }

    /** When shards are made. */
    public Seeding seeding() {
        return seeding;
    }

    /** How an add changes its shard. */
    public WriteStrategy writeStrategy() {
        return writeStrategy;
    }

    /** How long a token is remembered. */
    public Duration retention() {
        return retention;
    }

    /** How often a roll-up is written at most. */
    public Duration rollupCadence() {
        return rollupCadence;
    }

    /** What the names start with whose roll-ups are kept fresh; null if none are. */
    public @Nullable String freshPrefix() {
        return freshPrefix;
    }

    /** How many commits of adds are on their way at once. */
    public int commitsInFlight() {
        return commitsInFlight;
    }

    /** How often a process writes to one shard for long, a second; null for the default. */
    public @Nullable Double writesPerShard() {
        return writesPerShard;
    }

    /** How many writes to one shard may come at once. */
    public int writeBurst() {
        return writeBurst;
    }

    /** How long the backend's own methods take at most. */
    public Duration deadline() {
        return deadline;
    }

    /** Collects options; each is checked when it is set. */
    public static final class Builder {
        private static final Duration LONGEST_RETENTION = Duration.ofDays(3650);
        private String counterCollection = "counters";
        private String shardCollection = "shards";
        private String countField = "count";
        private String shardCountField = "num_shards";
        private String totalField = "total";
        private String totalTimeField = "total_at";
        private String sequenceCollection = "sequences";
        private String tokenCollection = "counter_tokens";
        private String importCollection = "counter_imports";
        private int shards = 10;
        private Seeding seeding = Seeding.AT_CREATION;
        private WriteStrategy writeStrategy = WriteStrategy.INCREMENT;
        private Duration retention = Duration.ofHours(24);
        private Duration rollupCadence = Duration.ofSeconds(1);
        private @Nullable String freshPrefix;
        private int commitsInFlight = 4;
        private @Nullable Double writesPerShard;
        private int writeBurst = 10;
        private Duration deadline = Duration.ofSeconds(20);

        private Builder() {}

        /**
         * The collection of counters, or its path if it lies under a document. Default {@code counters}, as in the
         * published recipe.
         */
        public Builder counterCollection(String path) {
            this.counterCollection = FieldNames.checkCollection("counter collection", path);
            return this;
        }

        /** The collection of shards under each counter. Default {@code shards}, as in the published recipe. */
        public Builder shardCollection(String id) {
            this.shardCollection = FieldNames.checkSegment("shard collection", id);
            return this;
        }

        /** The field of a shard that holds its part of the total. Default {@code count}, as in the published recipe. */
        public Builder countField(String name) {
            this.countField = FieldNames.checkField("count field", name);
            return this;
        }

        /**
         * The field of a counter that holds how many shards it has. Default {@code num_shards}, as in the published
         * recipe; {@code numShards}, which some of its snippets write, is read as well.
         */
        public Builder shardCountField(String name) {
            this.shardCountField = FieldNames.checkField("shard count field", name);
            return this;
        }

        /** The field of a counter that holds its roll-up, the total at some moment. Default {@code total}. */
        public Builder totalField(String name) {
            this.totalField = FieldNames.checkField("total field", name);
            return this;
        }

        /** The field of a counter that holds the moment of its roll-up. Default {@code total_at}. */
        public Builder totalTimeField(String name) {
            this.totalTimeField = FieldNames.checkField("total time field", name);
            return this;
        }

        /** The collection of sequences, or its path. Default {@code sequences}. */
        public Builder sequenceCollection(String path) {
            this.sequenceCollection = FieldNames.checkCollection("sequence collection", path);
            return this;
        }

        /**
         * The collection of idempotency tokens, or its path. Default {@code counter_tokens}. Backends that store elsewhere
         * in the same database may share it: a token stands for a change in the counter, shard and sequence collection
         * and the count field of its backend, and the same token in others is another one. Set a TTL policy on the
         * field {@code expires} of its collection group, or tokens stay for ever.
         */
        public Builder tokenCollection(String path) {
            this.tokenCollection = FieldNames.checkCollection("token collection", path);
            return this;
        }

        /**
         * The collection that says which names were imported from another store, or its path: a document for each, made
         * when an application migrates to this store, otherwise none. Default {@code counter_imports}. Nothing in it
         * expires, and nothing in it may be deleted: a name that is imported again would begin from its base again.
         */
        public Builder importCollection(String path) {
            this.importCollection = FieldNames.checkCollection("import collection", path);
            return this;
        }

        /**
         * How many shards a counter gets that is made by its first add, 1 to 1,000. Default 10. Adds to one counter are
         * merged before they are sent, so a process needs one shard for each commit that it has on its way, not for
         * each caller.
         */
        public Builder shards(int shards) {
            this.shards = checkShards(shards);
            return this;
        }

        /** When shards are made. Default {@link Seeding#AT_CREATION}. */
        public Builder seeding(Seeding seeding) {
            this.seeding = Objects.requireNonNull(seeding, "seeding");
            return this;
        }

        /** How an add changes its shard. Default {@link WriteStrategy#INCREMENT}. */
        public Builder writeStrategy(WriteStrategy writeStrategy) {
            this.writeStrategy = Objects.requireNonNull(writeStrategy, "writeStrategy");
            return this;
        }

        /**
         * How long a token is remembered, one hour to 3,650 days, by Firestore's clock. Default 24 hours, as with every
         * backend. It must exceed every deadline by ten minutes at least: a change that is sent for longer than its token
         * is remembered could be applied twice, and is refused.
         */
        public Builder retention(Duration retention) {
            if (retention.compareTo(Duration.ofHours(1)) < 0 || retention.compareTo(LONGEST_RETENTION) > 0) {
                throw new IllegalArgumentException("retention " + retention + ": use one hour to "
                        + LONGEST_RETENTION.toDays() + " days; a repeated request must find its token");
            }
            this.retention = retention;
            return this;
        }

        /**
         * How often the roll-up of one counter is written at most. Default 1 second, which is as often as one document
         * bears to be written for long. Roll-ups are written by those who read with a bound on staleness and had to sum,
         * and as {@link #keepFresh} says; an application without either never writes one.
         */
        public Builder rollupCadence(Duration cadence) {
            if (cadence.isNegative()) {
                throw new IllegalArgumentException("roll-up cadence " + cadence + ": use zero or more");
            }
            this.rollupCadence = cadence;
            return this;
        }

        /**
         * Keeps the roll-ups of counters whose names start with {@code prefix} fresh, of all with an empty one: about a
         * {@link #rollupCadence} after this process has changed such a counter it sums it and writes its roll-up. By
         * default none are.
         *
         * <p>For counters that are hot, or that pages in browsers listen to, or of which the largest are asked for: where
         * every process that changes them has this option, {@code top} under the prefix is one query. A counter costs two
         * reads and a write for each cadence in which it is changed, and nothing while it is not. What was not yet
         * written when a process is killed stays late until the next change or {@link FirestoreCounterBackend#rollUp};
         * closing writes it. Call that once too when this is turned on over counters that are there already.
         */
        public Builder keepFresh(String prefix) {
            this.freshPrefix = prefix.isEmpty() ? prefix : Limits.checkName("prefix", prefix);
            return this;
        }

        /**
         * How many commits of adds are on their way at once, 1 to 100. Default 4. More adds wait and are merged. With
         * {@link WriteStrategy#TRANSACTION} it is one, whatever is set here.
         */
        public Builder commitsInFlight(int commits) {
            if (commits < 1 || commits > 100) {
                throw new IllegalArgumentException("commits in flight " + commits
                        + ": use 1 to 100, which is what one channel of the client carries");
            }
            this.commitsInFlight = commits;
            return this;
        }

        /**
         * How often a process writes to one shard for long, a second, and how many writes to it may come at once. More
         * adds wait, up to the bound of the queue, and are merged: what is slowed is the commits. Default 1 a second and
         * 10 at once, a cautious reading of what one document bears; with an emulator there is no limit by default.
         *
         * @param perSecond more than zero; {@code Double.POSITIVE_INFINITY} for no limit
         * @param burst 1 or more
         */
        public Builder writesPerShard(double perSecond, int burst) {
            if (!(perSecond > 0)) {
                throw new IllegalArgumentException("writes per shard " + perSecond + " a second: use more than zero");
            }
            if (burst < 1) {
                throw new IllegalArgumentException("burst of " + burst + " writes: use 1 or more");
            }
            this.writesPerShard = perSecond;
            this.writeBurst = burst;
            return this;
        }

        /**
         * How long the methods take at most that this backend has besides those of {@code Counters}, more than zero, at
         * most a day, and ten minutes less than the {@link #retention} of tokens at most. Default 20 seconds, as {@code CountersOptions} has for the others.
         */
        public Builder deadline(Duration deadline) {
            if (deadline.isZero() || deadline.isNegative() || deadline.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("deadline " + deadline + ": use more than zero and at most a day");
            }
            this.deadline = deadline;
            return this;
        }

        /** The options as they are now. */
        public FirestoreCounterOptions build() {
            if (Stream.of(counterCollection, sequenceCollection, tokenCollection, importCollection)
                            .distinct()
                            .count()
                    < 4) {
                throw new IllegalArgumentException("counters in '" + counterCollection + "', sequences in '"
                        + sequenceCollection + "', tokens in '" + tokenCollection + "' and imports in '"
                        + importCollection + "': each needs a collection of its own");
            }
            checkInside(shardCollection, counterCollection);
            checkInside("entries", sequenceCollection);
            checkInside("subjects", sequenceCollection);
            TokenRetention.checkDeadline(retention, deadline);
            if (totalField.equals(totalTimeField)
                    || shardCountField.equals(totalField)
                    || shardCountField.equals(totalTimeField)) {
                throw new IllegalArgumentException("a counter has its shard count in '" + shardCountField
                        + "', its roll-up in '" + totalField + "' and the time of that in '" + totalTimeField
                        + "': each needs a field of its own");
            }
            return new FirestoreCounterOptions(this);
        }

        /** Throws if a collection is one of those that the documents of {@code outer} have. */
        private void checkInside(String inner, String outer) {
            for (String path : List.of(counterCollection, sequenceCollection, tokenCollection, importCollection)) {
                if (path.matches(Pattern.quote(outer) + "/[^/]+/" + Pattern.quote(inner))) {
                    throw new IllegalArgumentException("collection '" + path + "' is where the documents of '" + outer
                            + "' have their '" + inner + "': each needs a collection of its own");
                }
            }
        }
    }

    static int checkShards(int shards) {
        if (shards < 1 || shards > MAX_SHARDS) {
            throw new IllegalArgumentException("shard count " + shards + ": use 1 to " + MAX_SHARDS);
        }
        return shards;
    }
}
