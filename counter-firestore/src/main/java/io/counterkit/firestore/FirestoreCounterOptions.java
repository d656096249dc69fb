package io.counterkit.firestore;

import io.counterkit.spi.BatchLimits;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * How {@link FirestoreCounterBackend} stores counters. Two processes that share counters must agree on everything but
 * the shard count, the seeding, the write strategy and the commits in flight. Immutable.
 */
public final class FirestoreCounterOptions {
    /** The most shards of one counter: what one billed read of the server-side sum covers. */
    public static final int MAX_SHARDS = 1000;

    private static final FirestoreCounterOptions DEFAULTS = builder().build();

    private final String counterCollection;
    private final String shardCollection;
    private final String countField;
    private final String shardCountField;
    private final String sequenceCollection;
    private final String tokenCollection;
    private final int shards;
    private final Seeding seeding;
    private final WriteStrategy writeStrategy;
    private final Duration retention;
    private final int commitsInFlight;
    private final Duration deadline;

    private FirestoreCounterOptions(Builder builder) {
        counterCollection = builder.counterCollection;
        shardCollection = builder.shardCollection;
        countField = builder.countField;
        shardCountField = builder.shardCountField;
        sequenceCollection = builder.sequenceCollection;
        tokenCollection = builder.tokenCollection;
        shards = builder.shards;
        seeding = builder.seeding;
        writeStrategy = builder.writeStrategy;
        retention = builder.retention;
        commitsInFlight = builder.commitsInFlight;
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

    /** The path of the collection of sequences. */
    public String sequenceCollection() {
        return sequenceCollection;
    }

    /** The path of the collection of idempotency tokens. */
    public String tokenCollection() {
        return tokenCollection;
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

    /** How many commits of adds are on their way at once. */
    public int commitsInFlight() {
        return commitsInFlight;
    }

    /** How long the backend's own methods take at most. */
    public Duration deadline() {
        return deadline;
    }

    BatchLimits addLimits() {
        return BatchLimits.ofWeight(AddCommit.MAX_WEIGHT)
                .withInFlight(writeStrategy == WriteStrategy.TRANSACTION ? 1 : commitsInFlight);
    }

    /** Collects options; each is checked when it is set. */
    public static final class Builder {
        private static final Pattern RESERVED = Pattern.compile("\\.|\\.\\.|__.*__", Pattern.DOTALL);

        private String counterCollection = "counters";
        private String shardCollection = "shards";
        private String countField = "count";
        private String shardCountField = "num_shards";
        private String sequenceCollection = "sequences";
        private String tokenCollection = "counter_tokens";
        private int shards = 10;
        private Seeding seeding = Seeding.AT_CREATION;
        private WriteStrategy writeStrategy = WriteStrategy.INCREMENT;
        private Duration retention = Duration.ofHours(24);
        private int commitsInFlight = 8;
        private Duration deadline = Duration.ofSeconds(20);

        private Builder() {}

        /**
         * The collection of counters, or its path if it lies under a document. Default {@code counters}, as in the
         * published recipe.
         */
        public Builder counterCollection(String path) {
            this.counterCollection = checkCollection("counter collection", path);
            return this;
        }

        /** The collection of shards under each counter. Default {@code shards}, as in the published recipe. */
        public Builder shardCollection(String id) {
            this.shardCollection = checkSegment("shard collection", id);
            return this;
        }

        /** The field of a shard that holds its part of the total. Default {@code count}, as in the published recipe. */
        public Builder countField(String name) {
            this.countField = checkField("count field", name);
            return this;
        }

        /**
         * The field of a counter that holds how many shards it has. Default {@code num_shards}, as in the published
         * recipe; {@code numShards}, which some of its snippets write, is read as well.
         */
        public Builder shardCountField(String name) {
            this.shardCountField = checkField("shard count field", name);
            return this;
        }

        /** The collection of sequences, or its path. Default {@code sequences}. */
        public Builder sequenceCollection(String path) {
            this.sequenceCollection = checkCollection("sequence collection", path);
            return this;
        }

        /**
         * The collection of idempotency tokens, or its path. Default {@code counter_tokens}. Set a TTL policy on the
         * field {@code expires} of its collection group, or tokens stay for ever.
         */
        public Builder tokenCollection(String path) {
            this.tokenCollection = checkCollection("token collection", path);
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

        /** How long a token is remembered, one hour or more. Default 24 hours, as with every backend. */
        public Builder retention(Duration retention) {
            if (retention.compareTo(Duration.ofHours(1)) < 0) {
                throw new IllegalArgumentException(
                        "retention " + retention + ": use one hour or more, a repeated request must find its token");
            }
            this.retention = retention;
            return this;
        }

        /** How many commits of adds are on their way at once, 1 to 100. Default 8. More adds wait and are
         * merged. With {@link WriteStrategy#TRANSACTION} it is one, whatever is set here. */
        public Builder commitsInFlight(int commits) {
            if (commits < 1 || commits > 100) {
                throw new IllegalArgumentException("commits in flight " + commits
                        + ": use 1 to 100, which is what one channel of the client carries");
            }
            this.commitsInFlight = commits;
            return this;
        }

        /**
         * How long the methods take at most that this backend has besides those of {@code Counters}, more than zero.
         * Default 20 seconds, as {@code CountersOptions} has for the others.
         */
        public Builder deadline(Duration deadline) {
            if (deadline.isZero() || deadline.isNegative()) {
                throw new IllegalArgumentException("deadline " + deadline + ": use more than zero");
            }
            this.deadline = deadline;
            return this;
        }

        /** The options as they are now. */
        public FirestoreCounterOptions build() {
            if (counterCollection.equals(sequenceCollection)
                    || counterCollection.equals(tokenCollection)
                    || sequenceCollection.equals(tokenCollection)) {
                throw new IllegalArgumentException("counters in '" + counterCollection + "', sequences in '"
                        + sequenceCollection + "' and tokens in '" + tokenCollection
                        + "': each needs a collection of its own");
            }
            return new FirestoreCounterOptions(this);
        }

        private static String checkCollection(String what, String path) {
            String[] segments = path.split("/", -1);
            if (segments.length % 2 == 0) {
                throw new IllegalArgumentException(
                        what + " '" + path + "' is the path of a document: a collection has" + " 1, 3, 5, … segments");
            }
            for (String segment : segments) {
                checkSegment(what, segment);
            }
            return path;
        }

        private static String checkSegment(String what, String segment) {
            if (segment.isEmpty()
                    || segment.contains("/")
                    || RESERVED.matcher(segment).matches()) {
                throw new IllegalArgumentException(what + " '" + segment
                        + "': Firestore takes no empty segment, no '/', '.', '..' and no '__…__'");
            }
            return segment;
        }

        private static String checkField(String what, String name) {
            if (!name.matches("[a-zA-Z_][a-zA-Z_0-9]*")
                    || RESERVED.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        what + " '" + name + "': use letters, digits and '_', and not '__…__'");
            }
            return name;
        }
    }

    static int checkShards(int shards) {
        if (shards < 1 || shards > MAX_SHARDS) {
            throw new IllegalArgumentException("shard count " + shards + ": use 1 to " + MAX_SHARDS);
        }
        return shards;
    }
}
